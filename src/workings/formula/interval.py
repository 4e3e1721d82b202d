"""Irrational values: 60-digit intervals, and the powers, roots and logarithms that give them.

What is rational stays a Fraction; what an interval cannot decide is an error, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from workings.errors import UserError

if TYPE_CHECKING:
    from mpmath import iv

MAX_BITS = 4_096
DIGITS = 60


class DoesNotEvaluateError(UserError):
    """No value: a missing letter, a division by zero, a range too long, an undecided order."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An irrational value between two 60-digit bounds (an mpmath interval inside)."""

    bounds: Any

    def middle(self) -> Fraction:
        """A rational within 10^-59 (relative) of the value, for display and probing."""
        return _fraction(self.bounds.mid.a)


Value: TypeAlias = Fraction | Interval


def rational(value: Value) -> Fraction:
    """A Fraction to print: the value itself, or the middle of its 60-digit interval."""
    return value if isinstance(value, Fraction) else value.middle()


def power(base: Value, exponent: Value) -> Value:
    """The base to the exponent. Raises DoesNotEvaluateError where it is not real, or too long."""
    if not isinstance(exponent, Fraction) or not isinstance(base, Fraction):
        return _irrational_power(base, exponent)
    if base == 0 and exponent < 0:
        raise DoesNotEvaluateError("division by zero")
    if exponent.denominator == 2:
        return power(root(base), Fraction(exponent.numerator))
    if exponent.denominator != 1:
        return base if base == 0 else _irrational_power(base, exponent)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent) > MAX_BITS + bits:  # of a fraction near 1, such as (1 - k/E)^b, a short value
        return _irrational_power(base, exponent)
    return base ** int(exponent)


def _irrational_power(base: Value, exponent: Value) -> Interval:
    """A real power between bounds: of a positive base, or of any but zero to a whole number."""
    low, high = ends(base)
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if low <= 0 and not (whole and high < 0):
        raise DoesNotEvaluateError("a power of a value that is not positive")
    small, large = sorted((abs(low), abs(high)))
    bits = max(_log_size(small), _log_size(large))
    if bits * max(abs(end) for end in ends(exponent)) > MAX_BITS:
        raise DoesNotEvaluateError(f"a power of more than {MAX_BITS} bits")
    return Interval(bounds_of(base) ** bounds_of(exponent))


def _log_size(value: Fraction) -> int:
    """A whole number not below |log2(value)|."""
    return abs(value.numerator.bit_length() - value.denominator.bit_length()) + 1


def root(value: Value) -> Value:
    """The square root. Raises DoesNotEvaluateError below zero."""
    if not isinstance(value, Fraction):
        if ends(value)[0] < 0:
            raise DoesNotEvaluateError("60 digits do not tell whether a root is of 0 or more")
        return Interval(value.bounds ** _context().mpf(0.5))
    if value < 0:
        raise DoesNotEvaluateError("square root of a negative value")
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    if above**2 == value.numerator and below**2 == value.denominator:
        return Fraction(above, below)
    return Interval(_context().sqrt(bounds_of(value)))


def log2(value: Value) -> Value:
    """The logarithm to base 2. Raises DoesNotEvaluateError where the value is not above zero."""
    if isinstance(value, Fraction):
        if value <= 0:
            raise DoesNotEvaluateError("logarithm of a value that is not positive")
        for part, sign in ((value, 1), (1 / value, -1)):
            if part.denominator == 1 and part.numerator & (part.numerator - 1) == 0:
                return Fraction(sign * (part.numerator.bit_length() - 1))
    elif ends(value)[0] <= 0:
        raise DoesNotEvaluateError("60 digits do not tell whether a logarithm is of more than 0")
    context = _context()
    return Interval(context.log(bounds_of(value)) / context.log(2))


def ends(value: Value) -> tuple[Fraction, Fraction]:
    """The two rationals that a value lies between, itself where it is rational."""
    if isinstance(value, Fraction):
        return value, value
    return _fraction(value.bounds.a), _fraction(value.bounds.b)


def _fraction(bound: Any) -> Fraction:
    """An mpmath bound as the exact dyadic rational it is."""
    sign, mantissa, exponent, _ = bound._mpi_[0]
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def _context() -> iv:
    from mpmath import iv  # noqa: PLC0415 - only irrational values need it, and it is slow to load

    iv.dps = DIGITS
    return iv


def bounds_of(value: Value) -> Any:
    """The value as an mpmath interval of 60 digits."""
    if isinstance(value, Interval):
        return value.bounds
    context = _context()
    return context.mpf(value.numerator) / context.mpf(value.denominator)
