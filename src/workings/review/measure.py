"""Measure first: what to find out before the run, with what is predicted and what it decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log

from workings.document.blocks import Block, Prose
from workings.planning.assumed import FLOORS
from workings.planning.breakeven import BreakEven
from workings.planning.exact import exactly
from workings.planning.job import Figure
from workings.planning.measure import (
    LEAST,
    Check,
    Measurement,
    check_of,
    effects,
    first_to_measure,
    predicted,
)
from workings.planning.thresholds import Bound, last_kept
from workings.review.desk import SETTLED, Cell, Desk, on_tpus
from workings.review.front_page import heading
from workings.review.likelihood import RESULTS
from workings.review.numbers import bounded, number, percent, words
from workings.units import ONE

MOVES = {"M": "memory", "T_step": "step time", "T_run": "days", "c_run": "cost", "u": "MFU"}
IN_TIME = "within 10 %"  # of the step that is predicted, see LATE
DECIDED = ("GO", "GO IF", IN_TIME)
MOST = 6  # checks
FAR = 2  # times the way to the far end of its range, beyond which a threshold of an assumption is no news
LATE = Fraction(1, 10)  # by which a step may take longer than predicted and still be in time


@dataclass(frozen=True, slots=True)
class Holds:
    """What the review says, and the last value of a check at which it would still say so."""

    word: str
    value: Fraction
    at_most: bool


@dataclass(frozen=True, slots=True)
class Worth:
    """A check worth making, and what its value decides.

    `letter` is the assumption that it settles, or the result of a run that settles several at once;
    `effect` is the logarithm of the result it moves most at one end of the range over the other.
    """

    letter: str
    check: Check
    result: str
    effect: float
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
    if not _limited(desk):
        in_time = (
            f" Within {percent(LATE)}: a step takes at most so much longer than predicted, as no limit "
            "on days, cost or MFU is set."
        )
    return (
        "A few steps of the run settle most at once: their peak of memory and their time. After them "
        "come the assumptions whose range moves a result most, those that can change the decision first. "
        "“Moves” names the result, and “by” how much larger it is at one end of the range than at the "
        "other. The last columns say up to (≤) or from (≥) which measured value the answer is GO or GO "
        f"IF, everything else as it is.{in_time} Beyond that value stop and review again; – means that "
        "no value near its range changes the answer. workings calibrate puts measurements into the job."
    )


def checks(desk: Desk) -> tuple[Worth, ...]:
    """The checks worth making, on TPUs with JAX's commands; those of a whole run first."""
    moved = {n: by for n, by in _effects(desk).items() if n not in SETTLED["M"]}
    known: dict[str, tuple[Holds, ...]] = {}

    def holds(one: Measurement) -> tuple[Holds, ...]:
        letter = one.figure.letter
        if letter not in known:
            known[letter] = tuple(_holds(desk, one))
        return known[letter]

    whole = tuple(_of_a_run(desk))
    found = first_to_measure(
        desk.figures, moved, desk.base, cuda=not on_tpus(desk.job), most=MOST - len(whole),
        decides=lambda one: any(_within(desk, one, h) for h in holds(one) if h.word != IN_TIME),
    )  # fmt: skip
    alone = (Worth(m.figure.letter, m.check, m.result, m.effect, holds(m)) for m in found)
    return (*whole, *(one for one in alone if one.holds))


def _of_a_run(desk: Desk) -> Iterator[Worth]:
    """The peak and the time of a few steps, where assumptions move them that nothing measured settles."""
    for name, letter in (("peak_memory", "M"), ("step_time", "T_step")):
        ranges = {n: _ends(desk.figures[n]) for n in SETTLED[letter]}
        cases = ({n: ends[i] for n, ends in ranges.items()} for i in (0, 1))
        ends = [exactly(desk.plan, {**desk.job.values(), **case}, [letter]) for case in cases]
        effect = abs(log(ends[1][letter] / ends[0][letter])) if all(e[letter] for e in ends) else 0.0
        check = check_of(name, desk.base, cuda=not on_tpus(desk.job))
        if check is not None and effect >= LEAST:
            held = _peak_held(desk) if letter == "M" else _step_held(desk)
            yield Worth(letter, check, letter, effect, tuple(held))


def _peak_held(desk: Desk) -> Iterator[Holds]:
    """A measured peak may take all that the limit allows; days, cost and MFU have their say."""
    for word in ("GO", "GO IF"):
        if all(bound.kept for bound in _run_bounds(desk, word)):
            yield Holds(word, desk.job.limit_if * desk.base["M_dev"], True)
            return


def _step_held(desk: Desk) -> Iterator[Holds]:
    """The longest step within the limits on the run, by the odds of all else; or one in time."""
    if not _limited(desk):
        yield Holds(IN_TIME, (1 + LATE) * desk.base["T_step"], True)
        return
    for word in ("GO", "GO IF"):
        if all(bound.kept for bound in _memory_bounds(desk, word)):
            steps = (Bound(desk.base, r, desk.outcome.allows_measured(r, most, word)).step
                     for r, most in _limited(desk).items())  # fmt: skip
            yield Holds(word, min(steps), True)


def _memory_bounds(desk: Desk, word: str) -> list[Bound]:
    """What GO or GO IF asks of the memory: by its odds, and by the model unless it was measured."""
    limit = desk.job.limit_if
    by_odds = desk.outcome.allows("u_M", limit, word)
    return [Bound(desk.base, "u_M", by_odds if "M" in desk.known else min(limit, by_odds))]


def _effects(desk: Desk) -> dict[str, dict[str, float]]:
    """How far ranges move memory, step time and, where they are limited, days, cost and MFU."""
    found = {name: dict(moved) for name, moved in desk.effects.items()}
    limited = list(_limited(desk))
    more = effects(desk.plan, desk.figures, limited) if limited else {}
    return {name: moved | more.get(name, {}) for name, moved in found.items()}


def _limited(desk: Desk) -> dict[str, Fraction]:
    """The limits on days, cost and MFU that a person set."""
    return {r: most for r, most in desk.bounds.items() if r != "u_M" and desk.base[r]}


def _run_bounds(desk: Desk, word: str, settled: str = "") -> list[Bound]:
    """What GO or GO IF asks of days, cost and MFU by their odds, as bounds on what the model says."""
    allows = desk.outcome.allows
    return [Bound(desk.base, r, allows(r, most, word, settled)) for r, most in _limited(desk).items()]


def _holds(desk: Desk, one: Measurement) -> Iterator[Holds]:
    """What a measured value decides: the verdict, as its limits are; else whether a step is in time."""
    letter = one.figure.letter
    asked = {
        word: [*_memory_bounds(desk, word), *_run_bounds(desk, word, letter)] for word in ("GO", "GO IF")
    }
    if all(bound.kept for bound in asked["GO"]):
        del asked["GO IF"]
    if one.result == "T_step" and not _limited(desk):
        asked[IN_TIME] = [Bound(desk.base, "T_step", (1 + LATE) * desk.base["T_step"])]
    for word, bounds in asked.items():
        found = last_kept(desk.plan, one.figure, bounds)
        if found is not None and found.value is not None and _near(one.figure, found.value):
            yield Holds(word, _read(desk, one, found), found.at_most)


def _near(figure: Figure, value: Fraction) -> bool:
    """Whether a threshold lies in the range of an assumption, or not far beyond."""
    near = abs(value - figure.value) <= FAR * max(abs(end - figure.value) for end in _ends(figure))
    return near and value >= FLOORS.get(figure.concept.name, value)


def _read(desk: Desk, one: Measurement, found: BreakEven) -> Fraction:
    """What the check prints where its assumption has this value."""
    return predicted(one.check, {**desk.base, found.letter: found.value or Fraction(0)})


def _within(desk: Desk, one: Measurement, held: Holds) -> bool:
    """Whether the range of the assumption has values on both sides."""
    ends = [predicted(one.check, {**desk.base, one.figure.letter: end}) for end in _ends(one.figure)]
    return min(ends) < held.value < max(ends)


def _ends(figure: Figure) -> list[Fraction]:
    return [figure.value if end is None else end for end in (figure.low, figure.high)]


def _row(desk: Desk, one: Worth, decided: Sequence[str]) -> tuple[Cell, ...]:
    found, unit = one, ONE
    for letter in found.check.letters:
        of_input = desk.plan.letters.get(letter)
        unit = unit * (of_input.dimension if of_input else desk.plan.named(letter).unit)
    effect = Fraction(exp(found.effect) - 1).limit_denominator(10**6)
    digits = 4 if one.letter in RESULTS else 3  # as the first page has them
    held = {h.word: bounded(h.value, unit, at_most=h.at_most, digits=digits) for h in one.holds}
    return (
        MOVES[found.result], f"{found.check.command}: {found.check.reads}", percent(effect, 2),
        number(predicted(found.check, desk.base), unit, digits),
        *(held.get(word, "–") for word in decided),
    )  # fmt: skip
