"""Break-even: how far an input can move before a result crosses a bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.formula import DoesNotEvaluateError
from workings.planning.exact import exactly
from workings.planning.statement import Plan

FARTHEST = 1024  # times the value, or a part of it
CLOSE = Fraction(1, 1000)


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The last value of a letter, going up or down, at which the result still keeps its bound.

    `crossed` is False where the result keeps to it as far as was looked.
    """

    letter: str
    value: Fraction
    upwards: bool
    crossed: bool = True


def break_even(
    plan: Plan,
    given: Mapping[str, Fraction],
    letter: str,
    result: str,
    bound: Fraction,
    *,
    upwards: bool,
) -> BreakEven | None:
    """How far a letter may go up (or down) while `result <= bound`; None if it is beyond already.

    `given` are the values of the plan's own letters. The result is taken to move one way; counts
    stay whole numbers.
    """
    whole = plan.letters[letter].domain.integer

    def keeps(value: Fraction) -> bool:
        try:
            return exactly(plan, {**given, letter: value}, [result])[result] <= bound
        except DoesNotEvaluateError:
            return False

    start = given[letter]
    if not start or not keeps(start):
        return None
    good, bad, factor = start, start, 2
    while factor <= FARTHEST:
        tried = _stepped(start, factor, whole=whole, upwards=upwards)
        if not keeps(tried):
            bad = tried
            break
        good, factor = tried, factor * 2
    else:
        return BreakEven(letter, good, upwards, crossed=False)
    while abs(bad - good) > (1 if whole else abs(good) * CLOSE):
        middle = (good + bad) / 2
        middle = Fraction(int(middle)) if whole else middle
        good, bad = (middle, bad) if keeps(middle) else (good, middle)
    return BreakEven(letter, good, upwards)


def _stepped(start: Fraction, factor: int, *, whole: bool, upwards: bool) -> Fraction:
    """A value some times larger, or smaller."""
    value = start * factor if upwards else start / factor
    return Fraction(max(1, int(value))) if whole else value
