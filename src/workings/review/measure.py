"""Measure first: what to find out before the run, with what is predicted and what it decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, log

from workings.document.blocks import Block, Prose
from workings.planning.accuracy import spread
from workings.planning.assumed import FLOORS
from workings.planning.exact import exactly
from workings.planning.job import Carried, Figure
from workings.planning.measure import (
    LEAST,
    Check,
    Measurement,
    check_of,
    effects,
    first_to_measure,
    predicted,
)
from workings.planning.pairs import of_peaks, of_steps
from workings.review import thresholds
from workings.review.answer import WORDS, limited
from workings.review.desk import SETTLED, Cell, Desk, on_tpus
from workings.review.front_page import heading
from workings.review.likelihood import RESULTS
from workings.review.numbers import number, percent, words
from workings.review.thresholds import Holds, bounds
from workings.units import ONE

MOVES = {"M": "memory", "T_step": "step time", "T_run": "days", "c_run": "cost", "u": "MFU"}
MOST = 6  # checks
NARROWER = Fraction(21, 20)  # times, from which on it is said that a measurement narrows odds
FAR = 2  # times the way to the far end of its range, beyond which a threshold of an assumption is no news


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
    decided = [word for word in WORDS if any(h.word == word for one in found for h in one.holds)]
    rows = [_row(desk, one, decided) for one in found]
    head = ("moves", "run, and read", "by", "model says", *decided)
    align = "lwrr" + "r" * len(decided)
    yield desk.table("measure", "Checks, those that can change the decision first", align, head, rows)


def _how_to_read(desk: Desk) -> str:
    """What the columns say."""
    no_limit = ""
    if not limited(desk):
        no_limit = " No limit on days, cost or MFU is set, so no step time changes the answer."
    return (
        "“By” is how much larger a result is at one end of what is assumed than at the other. GO and GO "
        "IF say up to (≤) or from (≥) which measured value the answer of the first page, by its odds, is "
        f"that or a better one, all else as it is.{no_limit} workings calibrate puts measurements into "
        f"the job.{_narrower(desk)}"
    )


def _narrower(desk: Desk) -> str:
    """How far a measured step and peak of another layout would narrow the odds of this one."""
    job = replace(desk.job, carried=Carried(Fraction(1), Fraction(0)))
    then = {"T_step": of_steps(job, desk.base), "M": of_peaks(job, desk.base["M"])}
    told = []
    for result, name in (("T_step", "step"), ("M", "peak")):
        found, now = spread(then[result]), desk.outcome.ends(result)
        known = desk.carried(result) or result in desk.known
        if not known and found and found.most / found.least * NARROWER < now.most / now.least:
            ends = tuple(f"{float(end):.2f}" for end in (*found[::2], *now[::2]))
            told.append("a {} lies within {} to {} times what it then says (now {} to {})"
                        .format(name, *ends))  # fmt: skip
    if not told:
        return ""
    return (" A few steps of any layout of this model on these devices tell how far off the model is: by "
            f"eight of ten published runs {' and '.join(told)}.")  # fmt: skip


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
        desk.figures, moved, desk.base, cuda=not on_tpus(desk.job), bits=desk.device[1],
        most=MOST - len(whole),
        decides=lambda one: any(_within(desk, one, h) for h in holds(one)),
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
        check = check_of(name, desk.base, cuda=not on_tpus(desk.job), bits=desk.device[1])
        if check is not None and effect >= LEAST:
            yield Worth(letter, check, letter, effect, thresholds.of_result(desk, letter))


def _effects(desk: Desk) -> dict[str, dict[str, float]]:
    """How far ranges move memory, step time and, where they are limited, days, cost and MFU."""
    found = {name: dict(moved) for name, moved in desk.effects.items()}
    results = list(limited(desk))
    more = effects(desk.plan, desk.figures, results) if results else {}
    return {name: moved | more.get(name, {}) for name, moved in found.items()}


def _holds(desk: Desk, one: Measurement) -> Iterator[Holds]:
    """What a measured value decides, as the check prints it; nothing far from what is assumed."""
    for held in thresholds.of_input(desk, one.figure.letter):
        if _near(one.figure, held.value):
            yield replace(held, value=predicted(one.check, {**desk.base, one.figure.letter: held.value}))


def _near(figure: Figure, value: Fraction) -> bool:
    """Whether a threshold lies in the range of an assumption, or not far beyond."""
    near = abs(value - figure.value) <= FAR * max(abs(end - figure.value) for end in _ends(figure))
    return near and value >= FLOORS.get(figure.concept.name, value)


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
    return (
        MOVES[found.result], f"{found.check.command}: {found.check.reads}", percent(effect, 2),
        number(predicted(found.check, desk.base), unit, digits),
        *(bounds(one.holds, word, unit, digits=digits) for word in decided),
    )  # fmt: skip
