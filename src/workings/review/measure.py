"""Measure first: what to find out before the run, with what is predicted and what it decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import exp, log

from workings.document.blocks import Block, Line, Prose, Reference
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
    of_whole_runs,
    predicted,
)
from workings.planning.pairs import of_peaks, of_steps
from workings.review import thresholds
from workings.review.answer import limited
from workings.review.desk import SETTLED, Cell, Desk, on_tpus
from workings.review.front_page import heading
from workings.review.likelihood import RESULTS
from workings.review.numbers import number, percent, words
from workings.review.rival import Rival
from workings.review.thresholds import Holds, bounds
from workings.review.trial import on_fewer
from workings.units import ONE

MOVES = {"M": "memory", "T_step": "step time", "T_run": "days", "c_run": "cost", "u": "MFU",
         "u_M": "memory"}  # fmt: skip
MOST = 6  # checks
NARROWER = Fraction(21, 20)  # times, from which on it is said that a measurement narrows odds
_NO_FASTER = Holds("GO", Fraction(1), at_most=False)  # a step of another layout over one of this
FAR = 2  # times the way to the far end of its range, beyond which a threshold of an assumption is no news


@dataclass(frozen=True, slots=True)
class Worth:
    """A check worth making, and what its value decides.

    `letter` is the assumption that it settles, or the result of a run that settles several at once;
    `effect` is the logarithm of the result it moves most at one end of the range over the other.
    `limits` are those that the thresholds in `holds` are for.
    """

    letter: str
    check: Check
    result: str
    effect: float
    holds: tuple[Holds, ...]
    limits: tuple[str, ...]


def measure(desk: Desk, other: Rival | None = None) -> Iterator[Block]:
    """The table of checks; first of all that of another layout which may be faster."""
    found = checks(desk)
    if not found and other is None:
        return
    yield heading("Measure first")
    holds = [*(held for one in found for held in one.holds), *[_NO_FASTER] * (other is not None)]
    decided = thresholds.decided(holds)
    yield Prose(_how_to_read(desk, decided, other))
    rows = [_row_of_both(other, decided)] if other else []
    rows += [_row(desk, one, decided) for one in found]
    head = ("limit, or what it moves", "run, and read", "by", "model says", *decided)
    align = "lwrr" + "r" * len(decided)
    yield desk.table("measure", "Checks, those that can change the decision first", align, head, rows)
    if fewer := on_fewer(desk, [one.letter for one in found]):
        yield Prose(words(fewer))


def _how_to_read(desk: Desk, decided: Sequence[str], other: Rival | None) -> Line:
    """What the columns say."""
    no_limit = ""
    read = thresholds.how_to_read(desk, decided, "measured ", ["the other layout"] * (other is not None))
    if not limited(desk):
        no_limit = (" No limit on days, cost or MFU is set, so a step time changes the answer only "
                    "beside that of another layout.")  # fmt: skip
    return (
        *words(
            "“By” tells how much a result grows from the better to the worse end of what is assumed; the "
            "odds of "
        ),
        Reference("odds"),
        *words(
            f" come from published runs instead.{read}{no_limit}{_not_alone(desk)} workings calibrate "
            f"puts measurements into the job.{_narrower(desk)}"
        ),
    )


def _not_alone(desk: Desk) -> str:
    """Why no product and no gap is to be timed, where these are assumed from whole runs."""
    if not any(of_whole_runs(desk.figures[n]) and not desk.figures[n].sure for n in _effects(desk)):
        return ""
    return (
        " What is assumed of products and of gaps between kernels stands for all that whole runs lose: "
        "only a step tells of it."
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
    known: dict[str, Worth] = {}

    def worth(one: Measurement) -> Worth:
        letter = one.figure.letter
        if letter not in known:
            known[letter] = _worth(desk, one)
        return known[letter]

    whole = tuple(_of_a_run(desk))
    found = first_to_measure(
        desk.figures, moved, desk.base, cuda=not on_tpus(desk.job), bits=desk.device[1],
        most=MOST - len(whole),
        decides=lambda one: any(_within(desk, one, h) for h in worth(one).holds),
    )  # fmt: skip
    return (*whole, *(one for one in map(worth, found) if one.holds))


def _of_a_run(desk: Desk) -> Iterator[Worth]:
    """The peak and the time of a few steps, where assumptions move them that nothing measured settles."""
    for name, letter in (("peak_memory", "M"), ("step_time", "T_step")):
        ranges = {n: _ends(desk.figures[n]) for n in SETTLED[letter]}
        cases = ({n: ends[i] for n, ends in ranges.items()} for i in (0, 1))
        ends = [exactly(desk.plan, {**desk.job.values(), **case}, [letter]) for case in cases]
        effect = abs(log(ends[1][letter] / ends[0][letter])) if all(e[letter] for e in ends) else 0.0
        check = check_of(name, desk.base, cuda=not on_tpus(desk.job), bits=desk.device[1])
        if check is not None and effect >= LEAST:
            found = thresholds.of_result(desk, letter)
            of = thresholds.limits(desk, found, partial(thresholds.of_result, desk, letter))
            yield Worth(letter, check, letter, effect, found, of)


def _effects(desk: Desk) -> dict[str, dict[str, float]]:
    """How far ranges move memory, step time and, where they are limited, days, cost and MFU."""
    found = {name: dict(moved) for name, moved in desk.effects.items()}
    results = list(limited(desk))
    more = effects(desk.plan, desk.figures, results) if results else {}
    return {name: moved | more.get(name, {}) for name, moved in found.items()}


def _worth(desk: Desk, one: Measurement) -> Worth:
    """What a measured value decides, as the check prints it; nothing far from what is assumed."""
    letter = one.figure.letter
    near = [held for held in thresholds.of_input(desk, letter) if _near(one.figure, held.value)]
    limits = thresholds.limits(desk, near, lambda some: thresholds.of_input(desk, letter, on=some))
    printed = (replace(h, value=predicted(one.check, {**desk.base, letter: h.value})) for h in near)
    return Worth(letter, one.check, one.result, one.effect, tuple(printed), limits)


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
    effect = percent(Fraction(exp(found.effect) - 1).limit_denominator(10**6), 2)
    if one.letter in RESULTS:
        effect = "–"  # of a whole run all assumptions would be worst at once
    elif one.limits and MOVES[one.result] not in {MOVES[letter] for letter in one.limits}:
        effect += f" of {MOVES[one.result]}"
    digits = 4 if one.letter in RESULTS else 3  # as the first page has them
    return (
        _of(found), f"{found.check.command}: {found.check.reads}", effect,
        number(predicted(found.check, desk.base), unit, digits),
        *(bounds(one.holds, word, unit, digits=digits) for word in decided),
    )  # fmt: skip


def _row_of_both(other: Rival, decided: Sequence[str]) -> tuple[Cell, ...]:
    """That both layouts are to be timed: the step of the other one over that of this one."""
    return (
        "limit: the layout", f"a few steps of {other.name} and of this layout, the first ones left out: "
        "time of a step there over that here, and whether its peak keeps the limit", "–",
        number(other.ratio, ONE, 3), *(bounds([_NO_FASTER], word, ONE) for word in decided),
    )  # fmt: skip


def _of(one: Worth) -> str:
    """The limits that its thresholds are for, or else what it moves most."""
    if one.limits:
        return f"limit: {', '.join(MOVES[letter] for letter in one.limits)}"
    return f"moves: {MOVES[one.result]}"
