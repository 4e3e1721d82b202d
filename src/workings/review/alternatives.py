"""The layouts that a search finds best, beside the one under review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.document.blocks import Block, Prose, Text
from workings.planning.accuracy import MEDIAN_ERROR
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.search import Option, Result, Wishes, search
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading
from workings.review.naming import again, zero_stage
from workings.review.numbers import alike, percent, words
from workings.units import BYTE, SECOND

WANTED = ("M", "T_step", "u")


@dataclass(frozen=True)
class Alternatives:
    """What a search found, and the layout under review as an option among them."""

    result: Result
    ours: Option
    option: Option | None = None  # what is proposed beside it
    proposed: Mapping[str, Fraction] | None = None  # every value of that


def alternatives(job: Job, values: Mapping[str, Fraction], number: int = 10) -> Alternatives:
    """Search the layouts of a job. Raises JobError where none fulfils the constraints."""
    found = search(job, plan(), wishes(number))
    layout = {name: int(values[name]) for name in found.best[0].layout} if found.best else {}
    ours = Option(layout, {name: values[name] for name in WANTED})
    option = proposal(found, values)
    proposed = exactly(plan(), at(job, option).values()) if option else None
    return Alternatives(found, ours, option, proposed)


def proposal(found: Result, ours: Mapping[str, Fraction]) -> Option | None:
    """Of the layouts that the model cannot tell from the fastest, one with little that is new.

    That is the fastest of those which need the fewest kinds of parallelism, sharding and recomputation
    that the layout under review does without.
    """
    tied = [option for option in found.best if option.tied]
    return min(tied, key=lambda o: _new(o.layout, ours), default=None)  # the first, which is the fastest


def _new(layout: Mapping[str, int], ours: Mapping[str, Fraction]) -> int:
    switches = ("z_1", "z_2", "z_3", "z_c", "z_f")
    degrees = ("t", "c", "p", "e", "v")
    return sum(layout[n] > ours[n] for n in switches) + sum(layout[n] > 1 == ours[n] for n in degrees)


def at(job: Job, option: Option) -> Job:
    """The job with the layout of an option."""
    return job.with_values({name: Fraction(value) for name, value in option.layout.items()})


def wishes(number: int = 10) -> Wishes:
    """What a review asks of the search."""
    return Wishes(number=number, model_error=MEDIAN_ERROR, wanted=WANTED)


def section(desk: Desk, found: Alternatives | None) -> Iterator[Block]:
    """The table, and where the layout under review stands."""
    yield heading("Alternatives")
    if found is None or not found.result.best:
        yield Prose((Text(standing(found)),))
        return
    tally = found.result.tally
    said = (
        f"Of {tally.valid:,} layouts that fulfil the constraints {tally.fitting:,} fit the memory limit."
    )
    yield Prose(words(f"{said} {standing(found)}"))
    tied, others = found.result.ties, [o for o in found.result.best if not o.tied]
    options = (*tied, *others, found.ours)
    memory = alike([o.values["M"] for o in options], BYTE, 3)
    steps = alike([o.values["T_step"] for o in options], SECOND)
    marks = [*("=" * len(tied)), *[""] * len(others), "ours"]
    rows: list[tuple[Cell, ...]] = [
        (*_layout(desk, o.layout), m, s, percent(o.values["u"]), mark)
        for o, m, s, mark in zip(options, memory, steps, marks, strict=True)
    ]
    axes = " · ".join(name for name, _ in _axes(desk))
    head = (axes, "chunks", "micro", "again", "ZeRO", "memory", "step", "MFU", "")
    caption = (
        "The best layout of each mesh. The model cannot tell those marked = apart: their steps are at "
        f"most {percent(MEDIAN_ERROR, 2)} longer than the shortest, and they are ordered by head-room. "
        "Last, the layout under review"
    )
    yield desk.table("alternatives", caption, "lrrlrrrrl", head, rows, bold=(len(rows) - 1,))


def standing(found: Alternatives | None) -> str:
    """Where the layout under review stands among those that fit, in a sentence."""
    if found is None or not found.result.best:
        return "No layout within the constraints fits the memory limit."
    behind = found.ours.values["T_step"] / found.result.best[0].values["T_step"] - 1
    if behind > MEDIAN_ERROR:
        return f"A search finds layouts that take {percent(behind / (1 + behind), 2)} less time a step."
    if behind < 0:
        return "No layout that keeps the constraints and the memory limit is faster."
    return (f"The fastest layout that a search finds is no more than {percent(behind, 2)} faster, less "
            "than the model can tell.") if behind else "A search finds no faster layout."  # fmt: skip


def _axes(desk: Desk) -> tuple[tuple[str, str], ...]:
    """The degrees of a mesh, experts' only where the model has them."""
    expert = (("EP", "e"), ("ETP", "t_e")) if desk.base["E"] else ()
    return (("TP", "t"), ("CP", "c"), ("PP", "p"), *expert, ("DP", "d"))


def _layout(desk: Desk, layout: Mapping[str, int]) -> tuple[Cell, ...]:
    v = {name: Fraction(value) for name, value in layout.items()}
    v["d"] = desk.base["n"] / (v["t"] * v["c"] * v["p"])
    mesh = " · ".join(f"{int(v[letter]):,}" for _, letter in _axes(desk)) + (", SP" if v["z_s"] else "")
    return mesh, str(layout["v"]), str(layout["b_m"]), again(v), zero_stage(v)
