"""Checks of arguments, shared by the simulations."""

from fractions import Fraction


def positive_count(name: str, value: int) -> int:
    """Return `value`, a number of things; ValueError if it is below 1."""
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}.")
    return value


def positive_amount(name: str, value: Fraction | int) -> Fraction:
    """Return `value`, an amount such as bytes, as a Fraction; ValueError unless above 0."""
    if value <= 0:
        raise ValueError(f"{name} must be above 0, not {value}.")
    return Fraction(value)


def amount(name: str, value: Fraction | int) -> Fraction:
    """Return `value`, an amount that may be zero, as a Fraction; ValueError if below 0."""
    if value < 0:
        raise ValueError(f"{name} must not be below 0, not {value}.")
    return Fraction(value)
