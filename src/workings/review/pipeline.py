"""The pipeline's schedule, simulated, and as much of it drawn as can be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Gantt, Line, Prose, Text
from workings.document.drawn import Box, Lane
from workings.document.gantt import axis_of, gantt_of, in_ticks
from workings.planning.schedules import USUAL, schedule
from workings.review.desk import Desk
from workings.review.front_page import heading
from workings.review.numbers import tenth, words
from workings.simulate.interleaved import interleaved
from workings.simulate.schedule import Schedule, Task

MOST_STAGES, MOST_CHUNKS, MOST_DRAWN = 16, 4, 24  # drawn task by task
MOST_RUN, MOST_LANES = 64, 16  # stages that are simulated for a chart of runs, and of them drawn
MOST_LAPS, MOST_TASKS = 16, 2**15  # chunks of a rank, and tasks of all ranks, in a chart of runs
LEGEND = (("f1", "forward of a chunk"), ("b1", "backward of a chunk"), ("idle", "waiting"))


@dataclass(frozen=True, slots=True)
class Run:
    """Tasks of one kind and chunk that a rank runs without a pause."""

    first: Task
    last: Task


def pipeline(desk: Desk) -> Iterator[Block]:
    """The chart, or why there is none."""
    p, m, v = (int(desk.base[letter]) for letter in ("p", "m", "v"))
    if p == 1:
        return
    yield heading("Pipeline")
    name = schedule(desk.base)
    why = _undrawn(p, m, v, name)
    if why:
        yield Prose((Text(f"The pipeline's schedule is not drawn: {why}."),))
    elif name != USUAL:
        yield _apart(desk, name, p)
    elif p <= MOST_STAGES and v <= MOST_CHUNKS:
        yield _tasks(desk, p, m, v)
    else:
        yield _runs(desk, p, m, v)


def _undrawn(p: int, m: int, v: int, name: str) -> str:
    """Why there is no chart, if there is none."""
    if p > (MOST_RUN if name == USUAL else MOST_STAGES):
        return f"{p} stages are too many to draw"
    if v > 1 and m < p:
        return "fewer micro-batches than stages"
    if v > MOST_LAPS or 2 * p * p * v > MOST_TASKS:  # a turn has p micro-batches
        return f"{v} chunks on each of {p} stages are too many to draw"
    return ""


def _apart(desk: Desk, name: str, p: int) -> Gantt:
    """A schedule that computes gradients of weights apart, of as few micro-batches as show it."""
    shown = 2 * p
    drawn, kind = {"zero-bubble": ("zb-h1", "ZB-H1"), "dualpipe": ("dualpipe", "DualPipe")}[name]
    numbers = {"stages": p, "microbatches": shown, "forward": 1, "input-gradient": 1,
               "weight-gradient": 1}  # fmt: skip
    said = (
        f"The pipeline under {kind}, simulated: {_part(shown, int(desk.base['m']))}; a forward, the "
        "gradient of its input and the gradients of its weights take as long. A box bears the number of "
        f"its micro-batch. Stages are drawn alike{_unlike(desk)}"
    )
    return gantt_of(drawn, numbers, "pipeline", desk.label("figure", "pipeline"), words(said))


def _tasks(desk: Desk, p: int, m: int, v: int) -> Gantt:
    """Task by task, of the first micro-batches."""
    shown = min(m, MOST_DRAWN) // p * p if v > 1 else min(m, max(p + 4, MOST_DRAWN // 2))
    name, kind = ("interleaved", "interleaved 1F1B") if v > 1 else ("1f1b", "1F1B")
    shades = ", its shade that of the chunk" if v > 1 else ""
    said = (
        f"The pipeline under {kind}, simulated: {_part(shown, m)}, a backward twice as long as a "
        f"forward. A box bears the number of its micro-batch{shades}"
    )
    numbers = {"stages": p, "microbatches": shown, "virtual": v, "forward": 1, "input-gradient": 1,
               "weight-gradient": 1}  # fmt: skip
    caption = words(f"{said}. {_beside_plan(desk, _run(p, shown, v))}")
    return gantt_of(name, numbers, "pipeline", desk.label("figure", "pipeline"), caption)


def _runs(desk: Desk, p: int, m: int, v: int) -> Gantt:
    """One turn of micro-batches, what a rank does without a pause as one box."""
    shown = p if v > 1 else min(m, p)
    schedule = _run(p, shown, v)
    ranks = _ranks(p)
    half = MOST_LANES // 2
    some = f" on ranks {_span(ranks[:half])} and {_span(ranks[half:])}" if len(ranks) < p else ""
    kind = f"interleaved 1F1B, {v} chunks a rank" if v > 1 else "1F1B"
    caption = (
        f"The pipeline under {kind}, simulated: {_part(shown, m)}{some}, a "
        "backward twice as long as a forward. A box is what a rank runs of one chunk without a pause; it "
        f"bears the number of the chunk. {_beside_plan(desk, schedule)}"
    )
    return _chart(desk, schedule, ranks, words(caption))


def _run(p: int, shown: int, v: int) -> Schedule:
    """The schedule in ticks, a forward of all of a rank's chunks being one."""
    return interleaved(p, shown, v, Fraction(1, v), Fraction(2, v))


def _beside_plan(desk: Desk, schedule: Schedule) -> str:
    """How the drawing differs from the plan: stages drawn alike, and what of the time ranks wait."""
    drawn, planned = (
        f"{one.number} {one.unit}"
        for one in map(tenth, (schedule.idle(0) / Fraction(schedule.makespan), desk.base["x_idle"]))
    )
    whole = "the whole step" if schedule.microbatches < desk.base["m"] else "the plan"
    return (
        f"Stages are drawn alike{_unlike(desk)}; a rank waits {drawn} of the time drawn, in {whole} "
        f"{planned} of work and bubble"
    )


def _unlike(desk: Desk) -> str:
    """In what the stages of the plan differ."""
    v, p = desk.base, int(desk.base["p"])
    first, mid, last = (int(v[f"L_{stage}"]) for stage in ("first", "mid", "last"))
    between = {2: "", 3: f"{mid}, "}.get(p, f"{mid}, …, {mid}, ")
    uneven = len({first, last, *([mid] if p > 2 else [])}) > 1
    said = [f"they have {first}, {between}{last} blocks"] if uneven else []
    said += ["the last computes the logits"] if v["T_head"] else []
    return f", though {' and '.join(said)}" if said else ""


def _part(shown: int, whole: int) -> str:
    """`the first 16 of 32 micro-batches`, or `all 16 micro-batches`."""
    if shown == whole:
        return f"all {whole:,} micro-batches of a step"
    return f"the first {shown:,} of a step's {whole:,} micro-batches, as if there were no more"


def _ranks(p: int) -> list[int]:
    """All ranks, or the first and the last of many."""
    if p <= MOST_LANES:
        return list(range(p))
    return [*range(MOST_LANES // 2), *range(p - MOST_LANES // 2, p)]


def _span(ranks: list[int]) -> str:
    return f"{ranks[0]} to {ranks[-1]}"


def _chart(desk: Desk, schedule: Schedule, ranks: list[int], caption: Line) -> Gantt:
    end = Fraction(schedule.makespan)
    lanes = tuple(
        Lane(f"rank {rank}", tuple(_box(run, end) for run in runs(schedule.of(rank)))) for rank in ranks
    )
    said = (
        f"Pipeline schedule: {schedule.ranks} ranks and {schedule.microbatches} micro-batches take "
        f"{in_ticks(end)} ticks, of which each rank works {in_ticks(schedule.busy(0))}."
    )
    number = desk.label("figure", "pipeline")
    return Gantt("pipeline", number, caption, said, lanes, LEGEND, axis_of(schedule), "ticks")


def runs(tasks: list[Task]) -> Iterator[Run]:
    """A rank's tasks, those of one kind and chunk that follow without a pause taken together."""
    first = last = tasks[0]
    for task in tasks[1:]:
        if (task.kind, task.chunk, task.start) == (last.kind, last.chunk, last.end):
            last = task
            continue
        yield Run(first, last)
        first = last = task
    yield Run(first, last)


def _box(run: Run, end: Fraction) -> Box:
    """A run on the axis, in words for those who point at it."""
    first, last = run.first, run.last
    batches = f"micro-batch {first.microbatch}"
    if first.microbatch != last.microbatch:
        batches = f"micro-batches {first.microbatch} to {last.microbatch}"
    when = f"{in_ticks(first.start)} to {in_ticks(last.end)}"
    return Box(
        float(Fraction(first.start) / end), float((Fraction(last.end) - Fraction(first.start)) / end),
        "f1" if first.kind == "forward" else "b1",
        f"{first.kind}, chunk {first.chunk}, {batches}: {when}", str(first.chunk),
    )  # fmt: skip
