"""A bound on a result: what is spent may be at most so much, what is reached must be at least so much."""

from __future__ import annotations

from fractions import Fraction

FALLING = ("R_s", "u")  # results that fall as the step grows: the more of them the better


def keeps(result: str, value: Fraction, bound: Fraction) -> bool:
    """Whether a value of a result keeps its bound."""
    return value >= bound if result in FALLING else value <= bound


def taken(result: str, value: Fraction, bound: Fraction) -> Fraction:
    """How much of the bound is used up: at most 1 where it is kept. What is reached is above 0."""
    return bound / value if result in FALLING else value / bound
