"""Break-even: the values of an input at which a result keeps its bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.formula import DoesNotEvaluateError, evaluate, names_in
from workings.formula.exact import rational
from workings.planning.exact import exactly
from workings.planning.statement import Plan, Statement
from workings.vocabulary.concept import Domain

FARTHEST = 1024  # times the value, or a part of it
CLOSE = Fraction(1, 1000)


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
    grain: Fraction = Fraction(1),
) -> BreakEven:
    """The last value of a letter at which `result <= bound`, all others as they are.

    `given` holds values of the plan's letters, `rising` says whether the result grows with this one;
    it is taken to move one way. Counts stay whole and move by `grain`.
    """
    concept = plan.letters[letter]
    keeps = _keeps(plan, given, letter, result, bound)
    start = given[letter]
    kept = keeps(start)
    step = _steps(start, grain, concept.domain, upwards=rising == kept)
    here, factor = start, 2
    while factor <= FARTHEST:
        tried = step(factor)
        if tried == here:
            break
        if keeps(tried) != kept:
            good, bad = (here, tried) if kept else (tried, here)
            whole = grain if concept.domain.integer else None
            return BreakEven(letter, _between(keeps, good, bad, whole), rising, kept)
        here, factor = tried, factor * 2
    return BreakEven(letter, None, rising, kept)


def _keeps(
    plan: Plan, given: Mapping[str, Fraction], letter: str, result: str, bound: Fraction
) -> Callable[[Fraction], bool]:
    """Whether a value of the letter keeps the bound; only what rests on the letter is worked anew."""
    values = exactly(plan, given, [result])
    moved = _resting_on(plan, letter, result)

    def keeps(value: Fraction) -> bool:
        there = {**values, letter: value}
        try:
            for statement in moved:
                there[statement.letter] = rational(evaluate(statement.formula, there))
        except DoesNotEvaluateError:
            return False
        return there[result] <= bound

    return keeps


def _resting_on(plan: Plan, letter: str, result: str) -> list[Statement]:
    """The statements between a letter and a result, in order."""
    moving, found = {letter}, []
    for statement in plan.needed_for([result]):
        if not moving.isdisjoint(names_in(statement.formula)):
            moving.add(statement.letter)
            found.append(statement)
    return found


def _steps(
    start: Fraction, grain: Fraction, domain: Domain, *, upwards: bool
) -> Callable[[int], Fraction]:
    """From a factor to a value so many times larger, or smaller, that the letter may have."""

    def step(factor: int) -> Fraction:
        value = start * factor if upwards else start / factor
        if domain.integer:
            value = max(grain, value // grain * grain)
        return min(Fraction(1), value) if domain.bounded else value

    return step


def _between(
    keeps: Callable[[Fraction], bool], good: Fraction, bad: Fraction, grain: Fraction | None
) -> Fraction:
    """The last value that keeps the bound, between one that does and one that does not."""
    while abs(bad - good) > (abs(good) * CLOSE if grain is None else grain):
        middle = (good + bad) / 2
        if grain is not None:
            middle = middle // grain * grain
            if middle == min(good, bad):
                middle += grain
        good, bad = (middle, bad) if keeps(middle) else (good, middle)
    return good
