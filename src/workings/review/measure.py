"""Measure first: what to find out before the run, with what is predicted and what it decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp

from workings.document.blocks import Block, Prose
from workings.planning.breakeven import BreakEven
from workings.planning.job import Figure, Job
from workings.planning.measure import Measurement, effects, first_to_measure, predicted
from workings.planning.thresholds import Bound, last_kept
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading
from workings.review.numbers import bounded, number, percent, words
from workings.units import ONE

PRESETS = "presets/hardware/"
MOVES = {"M": "memory", "T_step": "step time", "T_run": "days", "c_run": "cost"}
IN_TIME = "in time"
DECIDED = ("GO", "GO IF", IN_TIME)
LATE = Fraction(1, 10)  # by which a step may take longer than predicted and still be in time


@dataclass(frozen=True, slots=True)
class Holds:
    """What the review says, and the last value of a check at which it would still say so."""

    word: str
    value: Fraction
    at_most: bool


@dataclass(frozen=True, slots=True)
class Worth:
    """A check worth making, and what its value decides."""

    measurement: Measurement
    holds: tuple[Holds, ...]


def measure(desk: Desk) -> Iterator[Block]:
    """The table of checks."""
    found = checks(desk)
    if not found:
        return
    yield heading("Measure first")
    yield Prose(words(_how_to_read(desk)))
    decided = [word for word in DECIDED if any(h.word == word for one in found for h in one.holds)]
    rows = [_row(desk, one, decided) for one in found]
    head = ("moves", "run, and read", "by", "predicted", *decided)
    align = "lwrr" + "r" * len(decided)
    yield desk.table("measure", "Checks, those that can change the decision first", align, head, rows)


def _how_to_read(desk: Desk) -> str:
    """What the columns say; of steps in time only where nothing limits the run."""
    in_time = ""
    if not _run_bounds(desk):
        in_time = (
            f" In time is a step that takes at most {percent(LATE)} longer than predicted, as no limit "
            "on days or cost is set."
        )
    return (
        "The assumptions whose range moves a result most, and by how much from one end of it to the "
        "other; first those that can change the decision. The last columns say up to (≤) or from (≥) "
        "which measured value the limits allow GO or GO IF, all other assumptions as they are."
        f"{in_time} Beyond these values stop and review again; a – where no value changes anything."
    )


def checks(desk: Desk) -> tuple[Worth, ...]:
    """The checks worth making, on TPUs with JAX's commands."""
    known: dict[str, tuple[Holds, ...]] = {}

    def holds(one: Measurement) -> tuple[Holds, ...]:
        letter = one.figure.letter
        if letter not in known:
            known[letter] = tuple(_holds(desk, one))
        return known[letter]

    found = first_to_measure(
        desk.job.figures, _effects(desk), desk.base, cuda=not on_tpus(desk.job),
        decides=lambda one: any(_within(desk, one, h) for h in holds(one) if h.word != IN_TIME),
    )  # fmt: skip
    return tuple(Worth(one, holds(one)) for one in found)


def _effects(desk: Desk) -> dict[str, dict[str, float]]:
    """How far ranges move memory, step time and, where they are limited, days and cost."""
    found = {name: dict(moved) for name, moved in desk.effects.items()}
    limited = [bound.result for bound in _run_bounds(desk)]
    more = effects(desk.plan, desk.job.figures, limited) if limited else {}
    return {name: moved | more.get(name, {}) for name, moved in found.items()}


def _run_bounds(desk: Desk) -> list[Bound]:
    """The limits on days and cost that a person set, as they stand."""
    return [Bound(desk.base, r, most) for r, most in desk.bounds.items() if r != "u_M" and desk.base[r]]


def _holds(desk: Desk, one: Measurement) -> Iterator[Holds]:
    """What a measured value decides: the verdict, as its limits are; else whether a step is in time."""
    job, run = desk.job, _run_bounds(desk)
    worst = [bound._replace(case=desk.high) for bound in run]
    go = [Bound(desk.base, "u_M", job.limit), Bound(desk.high, "u_M", job.limit_if), *run, *worst]
    asked = {"GO": go}
    if not all(bound.kept for bound in go):
        asked["GO IF"] = [Bound(desk.base, "u_M", job.limit_if), *run]
    if one.result == "T_step" and not run:
        asked[IN_TIME] = [Bound(desk.base, "T_step", (1 + LATE) * desk.base["T_step"])]
    for word, bounds in asked.items():
        found = last_kept(desk.plan, one.figure, bounds)
        if found is not None and found.value is not None:
            yield Holds(word, _read(desk, one, found), found.at_most)


def _read(desk: Desk, one: Measurement, found: BreakEven) -> Fraction:
    """What the check prints where its assumption has this value."""
    return predicted(one.check, {**desk.base, found.letter: found.value or Fraction(0)})


def _within(desk: Desk, one: Measurement, held: Holds) -> bool:
    """Whether the range of the assumption has values on both sides."""
    ends = [predicted(one.check, {**desk.base, one.figure.letter: end}) for end in _ends(one.figure)]
    return min(ends) < held.value < max(ends)


def _ends(figure: Figure) -> list[Fraction]:
    return [figure.value if end is None else end for end in (figure.low, figure.high)]


def on_tpus(job: Job) -> bool:
    """Whether the devices are TPUs: as the preset of the hardware says, else as the cluster is called.

    A job is called after its cluster where it has no name of its own: `Llama 3 8B on 16 × TPU v5p`.
    """
    presets = [name for name in job.files if name.startswith(PRESETS)]
    if presets:
        return any(name.startswith(f"{PRESETS}tpu-") for name in presets)
    return re.search(r" on [\d,]+ (?:× )?TPU\b", job.name) is not None


def _row(desk: Desk, one: Worth, decided: Sequence[str]) -> tuple[Cell, ...]:
    found, unit = one.measurement, ONE
    for letter in found.check.letters:
        unit = unit * desk.plan.letters[letter].dimension
    effect = Fraction(exp(found.effect) - 1).limit_denominator(10**6)
    held = {h.word: bounded(h.value, unit, at_most=h.at_most) for h in one.holds}
    return (
        MOVES[found.result], f"{found.check.command}: {found.check.reads}", percent(effect, 2),
        number(predicted(found.check, desk.base), unit, 3), *(held.get(word, "–") for word in decided),
    )  # fmt: skip
