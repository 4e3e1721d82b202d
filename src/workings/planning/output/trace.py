"""A step as a trace that Perfetto and chrome://tracing show: JSON in the Trace Event Format.

Times are microseconds, in multiples of the last place of the step's end, so that they and their sums are
exact in floats: what ends where another begins does so to the last digit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings.planning.naming import named
from workings.planning.timeline import Timeline
from workings.planning.working import shown
from workings.units import SECOND

PIPELINE, MESSAGES = 1, 2  # numbers of the two groups of tracks; viewers take 0 for the machine itself
_MICRO = 10**6

Event = dict[str, Any]


def as_trace(found: Timeline, name: str) -> str:
    """The trace of a step: an event a line."""
    events = [*_named(found, name), *_tasks(found), *_messages(found), *_at_the_end(found)]
    other = {
        "job": name, "layout": named(found.values), "step_seconds": float(found.values["T_step"]),
        "pipeline_seconds": float(found.pipeline), "schedule_seconds": float(found.takes),
    }  # fmt: skip
    lines = ",\n".join(json.dumps(event, ensure_ascii=False) for event in events)
    head = f'{{"displayTimeUnit": "ms", "otherData": {json.dumps(other, ensure_ascii=False)}'
    return f'{head},\n"traceEvents": [\n{lines}\n]}}\n'


def difference(found: Timeline) -> str:
    """Where the schedule that is drawn and the plan differ, in a sentence; else nothing."""
    takes, counts = (shown(seconds, SECOND) for seconds in (found.takes, found.pipeline))
    if found.shrunk < 1:
        return (
            f"the pipeline's schedule takes {takes}, the plan counts {counts}: all of it is drawn "
            f"{float(1 - found.shrunk) * 100:.2g} % shorter"
        )
    left = found.pipeline - found.takes
    if not left:
        return ""
    return (
        f"the pipeline's schedule takes {takes}, the plan counts {counts}: the {shown(left, SECOND)} "
        "between stand empty before gradients are exchanged"
    )


@dataclass(frozen=True, slots=True)
class _Clock:
    """Seconds to microseconds that floats hold exactly, `places` of them to a microsecond."""

    places: Fraction

    def event(self, track: tuple[int, int], name: str, of: str, start: Fraction, end: Fraction) -> Event:
        """What takes its time on a track, from `start` to `end` in seconds."""
        first, last = (round(time * _MICRO * self.places) for time in (start, end))
        ts, dur = (float(count / self.places) for count in (first, last - first))
        where = {"pid": track[0], "tid": track[1]}
        return {"ph": "X", **where, "name": name, "cat": of, "ts": ts, "dur": dur}


def _clock(found: Timeline) -> _Clock:
    return _Clock(1 / Fraction(math.ulp(float(found.values["T_step"] * _MICRO))))


def _named(found: Timeline, name: str) -> Iterator[Event]:
    """What viewers call the tracks, and in which order these stand."""
    yield _meta(PIPELINE, 0, "process_name", name=f"{name}: one pipeline, a track a stage")
    for stage in range(found.schedule.ranks):
        yield _meta(PIPELINE, stage + 1, "thread_name", name=f"stage {stage}")
        yield _meta(PIPELINE, stage + 1, "thread_sort_index", sort_index=stage)
    links = _links(found)
    if links:
        yield _meta(MESSAGES, 0, "process_name", name="messages between stages, what nothing hides")
    for (sender, receiver), track in links.items():
        yield _meta(MESSAGES, track, "thread_name", name=f"stage {sender} to {receiver}")
        yield _meta(MESSAGES, track, "thread_sort_index", sort_index=track)


def _meta(process: int, thread: int, what: str, **args: object) -> Event:
    return {"ph": "M", "pid": process, "tid": thread, "name": what, "args": args}


def _tasks(found: Timeline) -> Iterator[Event]:
    """Forwards and backwards; where they lie apart, a stage waits."""
    clock = _clock(found)
    for task in found.schedule.tasks:
        chunk = found.chunks[task.rank][task.chunk]
        parts = chunk.forward if task.kind == "forward" else chunk.backward
        event = clock.event((PIPELINE, task.rank + 1), f"{task.kind} {task.microbatch}", task.kind,
                            task.start * found.tick, task.end * found.tick)  # fmt: skip
        seconds = {part: float(time) for part, time in parts.items()}
        yield event | {"args": {"micro-batch": task.microbatch, "chunk": task.chunk,
                                "blocks": chunk.blocks, "seconds": seconds}}  # fmt: skip


def _links(found: Timeline) -> dict[tuple[int, int], int]:
    """The number of the track of each link, one way, over which something is waited for."""
    used = {(one.sender, one.receiver) for one in found.schedule.messages if one.end > one.start}
    return {link: track for track, link in enumerate(sorted(used), 1)}


def _messages(found: Timeline) -> Iterator[Event]:
    clock, links = _clock(found), _links(found)
    for one in found.schedule.messages if links else ():
        yield clock.event((MESSAGES, links[one.sender, one.receiver]), f"micro-batch {one.microbatch}",
                          "message", one.start * found.tick, one.end * found.tick)  # fmt: skip


def _at_the_end(found: Timeline) -> Iterator[Event]:
    """What all stages do once the pipeline is drained, as the plan counts it: for the fullest rank."""
    clock, v = _clock(found), found.values
    start = found.pipeline
    apart = (("exchange of gradients and weights, what compute does not hide", "exchange", v["T_sync"]),
             ("optimizer", "optimizer", v["T_opt"]))  # fmt: skip
    for name, of, seconds in apart:
        end = start + seconds
        for stage in range(found.schedule.ranks) if seconds else ():
            yield clock.event((PIPELINE, stage + 1), name, of, start, end)
        start = end
