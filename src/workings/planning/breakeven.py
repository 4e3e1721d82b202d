"""Break-even: the values of an input at which a result keeps its bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.formula import DoesNotEvaluateError, evaluate
from workings.formula.interval import rational
from workings.planning.bound import keeps as is_kept
from workings.planning.exact import exactly
from workings.planning.moves import FREELY, Moves
from workings.planning.statement import Plan
from workings.units import round_significant
from workings.vocabulary.concept import Domain

FARTHEST = 1024  # times the value, or a part of it
DIGITS = 6  # of a value that is no count; more than are printed

Keeps = Callable[[Fraction], bool]


@dataclass(frozen=True, slots=True)
class BreakEven:
    """A letter keeps a result within its bound up to `value` (`at_most`), or from it on.

    `kept` says whether it does where the job stands. `value` is None where that is so as far as was
    looked: any value keeps the bound then, or none.
    """

    letter: str
    value: Fraction | None
    at_most: bool
    kept: bool


def break_even(
    plan: Plan,
    given: Mapping[str, Fraction],
    letter: str,
    result: str,
    bound: Fraction,
    *,
    rising: bool,
    moves: Moves = FREELY,
) -> BreakEven:
    """The last value of a letter at which the result keeps its bound, all others as they are.

    `given` holds values of the plan's letters, `rising` says whether more of this one takes the result
    nearer to its bound; it is taken to move one way. A count is a multiple of its grain; what is no
    count has so many digits that its value rounded to fewer is right.
    """
    domain = plan.letters[letter].domain
    keeps = _keeps(plan, given, letter, result, bound)
    start = given[letter]
    kept = keeps(start)
    upwards = rising == kept
    if moves.only:
        value = _among(keeps, start, kept, sorted(moves.only, reverse=not upwards), upwards=upwards)
        return BreakEven(letter, value, rising, kept)
    found = _bracket(keeps, start, kept, _steps(start, moves, domain, upwards=upwards), upwards=upwards)
    if found is None:
        return BreakEven(letter, None, rising, kept)
    grain = moves.grain if domain.integer else _digit(min(found))
    return BreakEven(letter, _between(keeps, *found, grain), rising, kept)


def _keeps(plan: Plan, given: Mapping[str, Fraction], letter: str, result: str, bound: Fraction) -> Keeps:
    """Whether a value of the letter keeps the bound; only what rests on the letter is worked anew."""
    values = exactly(plan, given, [result])
    needed = {statement.letter for statement in plan.needed_for([result])}
    moved = [plan.named(name) for name in plan.resting_on([letter]) if name in needed]

    def keeps(value: Fraction) -> bool:
        there = {**values, letter: value}
        try:
            for statement in moved:
                there[statement.letter] = rational(evaluate(statement.formula, there))
        except DoesNotEvaluateError:
            return False
        return is_kept(result, there[result], bound)

    return keeps


def _among(
    keeps: Keeps, start: Fraction, kept: bool, values: list[Fraction], *, upwards: bool
) -> Fraction | None:
    """The last of some values that keeps the bound; None where all of them do, or none."""
    last = start
    for value in values:
        if (value > start) == upwards and value != start:
            if keeps(value) != kept:
                return last if kept else value
            last = value
    return None


def _bracket(
    keeps: Keeps, start: Fraction, kept: bool, step: Callable[[int], Fraction], *, upwards: bool
) -> tuple[Fraction, Fraction] | None:
    """A value that keeps the bound and one that does not, the one at most twice the other."""
    here, factor = start, 2
    while factor <= FARTHEST:
        tried = step(factor)
        if tried == here or (tried > start) != upwards:
            break
        if keeps(tried) != kept:
            return (here, tried) if kept else (tried, here)
        here, factor = tried, factor * 2
    return None


def _steps(start: Fraction, moves: Moves, domain: Domain, *, upwards: bool) -> Callable[[int], Fraction]:
    """From a factor to a value so many times larger, or smaller, that the letter may have."""
    most = Fraction(1) if domain.bounded else moves.most

    def step(factor: int) -> Fraction:
        value = start * factor if upwards else start / factor
        value = value if most is None else min(most, value)
        return max(moves.grain, value // moves.grain * moves.grain) if domain.integer else value

    return step


def _digit(value: Fraction) -> Fraction:
    """One in the last digit of a value."""
    _, decimals = round_significant(value, DIGITS)
    return Fraction(10) ** -decimals


def _between(keeps: Keeps, good: Fraction, bad: Fraction, grain: Fraction) -> Fraction:
    """The last multiple of the grain that keeps the bound; `good` does and `bad` does not."""
    while abs(bad - good) > grain:
        middle = (good + bad) / 2 // grain * grain
        if middle <= min(good, bad):
            middle += grain
        good, bad = (middle, bad) if keeps(middle) else (good, middle)
    return good
