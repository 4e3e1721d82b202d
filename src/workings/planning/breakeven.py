"""Break-even: up to or from which value of an input something is so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from workings.planning.moves import FREELY, Moves
from workings.units import round_significant
from workings.vocabulary.concept import Domain

FARTHEST = 16  # times the value, or a part of it
DIGITS = 6  # of a value that is no count; more than are printed

Keeps = Callable[[Fraction], bool]


def turn(
    keeps: Keeps, start: Fraction, domain: Domain, moves: Moves = FREELY, *, upwards: bool
) -> Fraction | None:
    """In one direction, the last value that keeps a bound, or the first that does where `start` does not.

    None where no value up to so many times as large, or as small, is otherwise. A count is a multiple of
    its grain; what is no count has so many digits that its value rounded to fewer is right.
    """
    kept = keeps(start)
    if moves.only:
        return _among(keeps, start, kept, sorted(moves.only, reverse=not upwards), upwards=upwards)
    steps = _steps(start, moves, domain, upwards=upwards)
    found = _bracket(keeps, start, kept, steps, upwards=upwards)
    if found is None:
        return None
    return _between(keeps, *found, moves.grain if domain.integer else _digit(min(found)))


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
