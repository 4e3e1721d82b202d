"""The directive `gantt`: a pipeline schedule, run task by task and drawn rank by rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from workings.document.blocks import Gantt, Line
from workings.document.directive import Directive, check_options, table_of, text_at, whole
from workings.document.drawn import Box, Lane
from workings.document.figures import figure_name
from workings.document.inline import line_of
from workings.document.page import Page
from workings.simulate.dualpipe import dualpipe
from workings.simulate.interleaved import interleaved
from workings.simulate.pipeline import gpipe, naive, one_f_one_b
from workings.simulate.schedule import Kind, Schedule, Task
from workings.simulate.zero_bubble import zb_h1, zb_h2

_KEYS = (
    "schedule", "stages", "microbatches", "virtual", "forward", "input-gradient", "weight-gradient",
    "overlapped", "caption", "alternative",
)  # fmt: skip
MOST_STAGES, MOST_MICROBATCHES, MOST_CHUNKS, LONGEST = 16, 64, 4, 20
TICKS = 6
APART = Fraction(8, 100)  # of the axis, so that the words of two ticks do not touch
SHADES = 4  # of forwards and backwards, one for each chunk of a rank
_STYLES: Mapping[Kind, str] = {
    "forward": "f", "backward": "b", "input gradient": "i", "weight gradient": "w",
}  # fmt: skip
_IDLE = ("idle", "waiting")

Numbers = dict[str, int]


def _chunk_by_chunk(n: Numbers) -> Schedule:
    backward = n["input-gradient"] + n["weight-gradient"]
    forward, backward_of_chunk = (Fraction(t, n["virtual"]) for t in (n["forward"], backward))
    return interleaved(n["stages"], n["microbatches"], n["virtual"], forward, backward_of_chunk)


def _whole(run: Callable[..., Schedule]) -> Callable[[Numbers], Schedule]:
    """A schedule that does not split the backward."""
    return lambda n: run(
        n["stages"], n["microbatches"], n["forward"], n["input-gradient"] + n["weight-gradient"]
    )


def _split(run: Callable[..., Schedule]) -> Callable[[Numbers], Schedule]:
    """A schedule that runs both halves of the backward on their own."""
    return lambda n: run(
        n["stages"], n["microbatches"], n["forward"], n["input-gradient"], n["weight-gradient"]
    )


def _from_both_ends(n: Numbers) -> Schedule:
    times = (n["forward"], n["input-gradient"], n["weight-gradient"])
    return dualpipe(n["stages"], n["microbatches"], *times, n.get("overlapped", sum(times)))


SCHEDULES: Mapping[str, tuple[str, Callable[[Numbers], Schedule]]] = {
    "naive": ("naive model parallelism", lambda n: naive(
        n["stages"], n["forward"], n["input-gradient"] + n["weight-gradient"])),
    "gpipe": ("GPipe", _whole(gpipe)),
    "1f1b": ("1F1B", _whole(one_f_one_b)),
    "interleaved": ("interleaved 1F1B", _chunk_by_chunk),
    "zb-h1": ("ZB-H1", _split(zb_h1)),
    "zb-h2": ("ZB-H2", _split(zb_h2)),
    "dualpipe": ("DualPipe", _from_both_ends),
}  # fmt: skip


def gantt(directive: Directive, page: Page) -> Gantt:
    """```{gantt} NAME``` with `schedule`, `stages`, `microbatches`…: who runs what when."""
    check_options(directive, page, ())
    at = directive.body_line
    data = table_of(directive, page, _KEYS)
    name = text_at(data, "schedule", page, at)
    if name not in SCHEDULES:
        raise page.source.fail(
            at, f"schedule: found {name[:40]!r}, expected one of {', '.join(SCHEDULES)}"
        )
    numbers = _numbers(data, name, page, at)
    title, run = SCHEDULES[name]
    try:
        schedule = run(numbers)
    except ValueError as error:
        raise page.source.fail(at, f"{title}: {error}".rstrip(".")) from error
    label = figure_name(directive, page)
    number = page.label("figure", label, directive.line)
    caption = line_of(text_at(data, "caption", page, at), page, at)
    words = text_at(data, "alternative", page, at) or _in_words(title, schedule)
    return _drawn(schedule, name, label, number, caption, words)


def gantt_of(name: str, numbers: Numbers, label: str, number: int, caption: Line) -> Gantt:
    """A schedule by name as a figure; `numbers` has stages, micro-batches and times in ticks.

    Raises ValueError where the schedule cannot be run with these.
    """
    title, run = SCHEDULES[name]
    schedule = run(numbers)
    return _drawn(schedule, name, label, number, caption, _in_words(title, schedule))


def _drawn(schedule: Schedule, name: str, label: str, number: int, caption: Line, words: str) -> Gantt:
    return Gantt(label, number, caption, words, _lanes(schedule, name), _legend(schedule, name),
                 axis_of(schedule), "ticks")  # fmt: skip


def _numbers(data: Mapping[str, Any], name: str, page: Page, line: int) -> Numbers:
    """Sizes and times of the body, each within its bounds; what a schedule has no use for is refused."""
    bounds = {
        "stages": (1, MOST_STAGES), "microbatches": (1, MOST_MICROBATCHES), "virtual": (1, MOST_CHUNKS),
        "forward": (1, LONGEST), "input-gradient": (1, LONGEST), "weight-gradient": (1, LONGEST),
        "overlapped": (1, 3 * LONGEST),
    }  # fmt: skip
    only = {"virtual": "interleaved", "overlapped": "dualpipe"}
    for key, owner in only.items():
        if key in data and name != owner:
            raise page.source.fail(line, f"{key}: found it with {name}, expected it with {owner} only")
    if name == "naive" and "microbatches" in data:
        raise page.source.fail(line, "microbatches: found it with naive, which has a single one")
    given = {"forward": 1, "input-gradient": 1, "weight-gradient": 1, "virtual": 1, **data}
    if name == "naive":
        given["microbatches"] = 1
    return {
        key: whole(given.get(key, "nothing"), f"{key}:", page, line, *bounds[key])
        for key in bounds if key in given or key in ("stages", "microbatches")
    }  # fmt: skip


# --- what is drawn ----------------------------------------------------------------------------


def _lanes(schedule: Schedule, name: str) -> tuple[Lane, ...]:
    end = schedule.makespan
    return tuple(
        Lane(f"rank {rank}", _boxes(schedule.of(rank), end, _shades(schedule, name)))
        for rank in range(schedule.ranks)
    )


def _boxes(tasks: list[Task], end: int | Fraction, shades: Mapping[int, int]) -> tuple[Box, ...]:
    together = Counter((task.start, task.end) for task in tasks)
    return tuple(
        Box(
            float(Fraction(task.start) / end), float(Fraction(task.end - task.start) / end),
            _style(task, shades), _task_in_words(task), str(task.microbatch),
            0 if together[task.start, task.end] == 1 else 1 if task.kind == "forward" else 2,
        )
        for task in tasks
    )  # fmt: skip


def _shades(schedule: Schedule, name: str) -> Mapping[int, int]:
    """A shade for each chunk, as far apart as they go; both directions of DualPipe look alike."""
    chunks = sorted({task.chunk for task in schedule.tasks})
    if name == "dualpipe" or len(chunks) == 1:
        return dict.fromkeys(chunks, 1)
    return {chunk: 1 + chunk * (SHADES - 1) // (len(chunks) - 1) for chunk in chunks}


def _style(task: Task, shades: Mapping[int, int]) -> str:
    shaded = task.kind in ("forward", "backward")
    return f"{_STYLES[task.kind]}{shades[task.chunk] if shaded else ''}"


def _legend(schedule: Schedule, name: str) -> tuple[tuple[str, str], ...]:
    """Each style that is drawn, with its name, then the waiting between."""
    shades = _shades(schedule, name)
    several = len(set(shades.values())) > 1
    found: dict[str, str] = {}
    for kind, words in _KINDS.items():
        for task in sorted(schedule.tasks, key=lambda task: task.chunk):
            if task.kind == kind:
                chunk = f", chunk {task.chunk}" if several else ""
                found.setdefault(_style(task, shades), words + chunk)
    return (*found.items(), _IDLE)


_KINDS: Mapping[Kind, str] = {
    "forward": "forward", "backward": "backward", "input gradient": "backward: input",
    "weight gradient": "backward: weights",
}  # fmt: skip


def axis_of(schedule: Schedule) -> tuple[tuple[float, str], ...]:
    """Round times, at most `TICKS` of them after 0, and the end, which takes the place of one near it."""
    end = Fraction(schedule.makespan)
    steps = (factor * 10**power for power in range(4) for factor in (1, 2, 5))
    step = next(one for one in steps if end / one <= TICKS)
    times = [Fraction(time) for time in range(0, int(end) + 1, step)]
    apart = [time for time in times if 1 - time / end >= APART]
    return tuple((float(time / end), in_ticks(time)) for time in (*apart, end))


# --- in words ---------------------------------------------------------------------------------


def _task_in_words(task: Task) -> str:
    when = f"{in_ticks(task.start)} to {in_ticks(task.end)}"
    return f"{_KINDS[task.kind]}, micro-batch {task.microbatch}: {when}"


def _in_words(title: str, schedule: Schedule) -> str:
    """The chart for those who cannot see it."""
    ranks = "; ".join(_rank_in_words(schedule, rank) for rank in range(schedule.ranks))
    size = f"{_some(schedule.ranks, 'rank')} and {_some(schedule.microbatches, 'micro-batch')}"
    return f"Pipeline schedule: {title} with {size} takes {in_ticks(schedule.makespan)} ticks; {ranks}."


def _rank_in_words(schedule: Schedule, rank: int) -> str:
    start = schedule.of(rank)[0].start
    return (
        f"rank {rank} runs from {in_ticks(start)} to {in_ticks(start + schedule.span(rank))} and "
        f"works {in_ticks(schedule.busy(rank))} of that"
    )


def _some(number: int, noun: str) -> str:
    """A number of things: 1 rank, 8 micro-batches."""
    plural = noun if number == 1 else noun + ("es" if noun.endswith("ch") else "s")
    return f"{number} {plural}"


def in_ticks(value: int | Fraction) -> str:
    """A time to two decimals."""
    return f"{float(round(Fraction(value), 2)):.10g}"
