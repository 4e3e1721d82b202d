"""The exact reading: a tree and the values of its letters to a Fraction.

Logarithms and roots that are not rational become 60-digit intervals (mpmath), and whatever an
interval cannot decide (an order, a ceiling) is reported as undecided, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from workings.errors import UserError
from workings.formula.tree import (
    Add,
    Call,
    Expr,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    walk,
)
from workings.units import parse_unit

if TYPE_CHECKING:
    from mpmath import iv

MAX_BITS = 4_096
MAX_TERMS = 1_000_000  # of sums, each counted with the parts of its body
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


def evaluate(
    node: Expr, values: Mapping[str, Fraction | int | Interval], effort: Effort | None = None
) -> Value:
    """The exact value in base units. Raises DoesNotEvaluateError, also where the effort is used up."""
    return _Evaluation(values, effort or Effort()).value(node)


def rational(value: Value) -> Fraction:
    """A Fraction to print: the value itself, or the middle of its 60-digit interval."""
    return value if isinstance(value, Fraction) else value.middle()


def holds(relations: Relations, values: Mapping[str, Fraction | int | Interval]) -> bool:
    """Whether every link of the chain is true at these values. Raises DoesNotEvaluateError."""
    sides = [evaluate(relations.first, values)]
    sides += [evaluate(part, values) for _, part in relations.rest]
    links = zip(sides, sides[1:], relations.rest, strict=False)
    return all(compare(left, relation, right) for left, right, (relation, _) in links)


def compare(left: Value, relation: str, right: Value) -> bool:
    """left < right and so on; raises DoesNotEvaluateError where 60 digits do not tell."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        order = (left > right) - (left < right)
    else:
        gap = _interval(left) - _interval(right)
        order = 1 if gap > 0 else -1 if gap < 0 else 0
        if order == 0:
            raise DoesNotEvaluateError("60 digits do not tell the two sides apart")
    truth = {"=": order == 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0}
    if relation not in truth:
        raise DoesNotEvaluateError(f"{relation} is not true or false of two numbers")
    return truth[relation]


class Effort:
    """How many parts of formulas have been evaluated, of those that may be."""

    def __init__(self, most: int | None = None) -> None:
        self.most, self.spent = most, 0

    def spend(self) -> None:
        """Count one part. Raises DoesNotEvaluateError where that is one too many."""
        self.spent += 1
        if self.most is not None and self.spent > self.most:
            raise DoesNotEvaluateError("it takes more work than one step may ask for")


class _Evaluation:
    """One evaluation: the letters and how many terms of sums it has used."""

    def __init__(self, values: Mapping[str, Fraction | int | Interval], effort: Effort) -> None:
        self.values, self.effort, self.terms = values, effort, 0

    def value(self, node: Expr) -> Value:
        self.effort.spend()
        match node:
            case Num(value, unit):
                return value * parse_unit(unit).scale if unit else value
            case Name(name):
                if name not in self.values:
                    raise DoesNotEvaluateError(f"no value for the letter {name}")
                known = self.values[name]
                return Fraction(known) if isinstance(known, int) else known
            case Negative(operand):
                return _times(Fraction(-1), self.value(operand))
            case Add(first, rest):
                total = self.value(first)
                for sign, term in rest:
                    part = self.value(term)
                    total = _plus(total, part if sign == "+" else _times(Fraction(-1), part))
                return total
            case Product(first, rest):
                result = self.value(first)
                for operation, factor in rest:
                    part = self.value(factor)
                    result = _times(result, part if operation == "*" else _inverse(part))
                return result
            case Power(base, exponent):
                return _power(self.value(base), self.value(exponent))
            case Call(function, args):
                return _call(function, [self.value(arg) for arg in args])
            case Series():
                return self.series(node)

    def series(self, node: Series) -> Value:
        low, high = self.value(node.lower), self.value(node.upper)
        if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
            raise DoesNotEvaluateError("the range of a sum is not a whole number")
        if low.denominator != 1 or high.denominator != 1:
            raise DoesNotEvaluateError("the range of a sum is not a whole number")
        self.terms += max(0, int(high - low) + 1) * sum(1 for _ in walk(node.body))
        if self.terms > MAX_TERMS:
            raise DoesNotEvaluateError(f"a sum of more than {MAX_TERMS:,} terms")
        outer = self.values
        self.values = inside = dict(outer)
        total: Value = Fraction(0)
        for i in range(int(low), int(high) + 1):
            inside[node.index] = Fraction(i)
            total = _plus(total, self.value(node.body))
            if isinstance(total, Fraction) and total.denominator.bit_length() > MAX_BITS:
                raise DoesNotEvaluateError(f"a sum whose denominator has more than {MAX_BITS} bits")
        self.values = outer
        return total


def _plus(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    return Interval(_interval(a) + _interval(b))


def _times(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    return Interval(_interval(a) * _interval(b))


def _inverse(a: Value) -> Value:
    if isinstance(a, Fraction):
        if a == 0:
            raise DoesNotEvaluateError("division by zero")
        return 1 / a
    if 0 in a.bounds:
        raise DoesNotEvaluateError("division by a value that 60 digits do not tell from zero")
    return Interval(1 / a.bounds)


def _power(base: Value, exponent: Value) -> Value:
    if not isinstance(exponent, Fraction) or not isinstance(base, Fraction):
        return _irrational_power(base, exponent)
    if base == 0 and exponent < 0:
        raise DoesNotEvaluateError("division by zero")
    if exponent.denominator == 2:
        return _power(_root(base), Fraction(exponent.numerator))
    if exponent.denominator != 1:
        return base if base == 0 else _irrational_power(base, exponent)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent) > MAX_BITS + bits:
        raise DoesNotEvaluateError(f"a power of more than {MAX_BITS} bits")
    return base ** int(exponent)


def _irrational_power(base: Value, exponent: Value) -> Interval:
    """A real power between bounds: of a positive base, or of any but zero to a whole number."""
    low, high = _ends(base)
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if low <= 0 and not (whole and high < 0):
        raise DoesNotEvaluateError("a power of a value that is not positive")
    small, large = sorted((abs(low), abs(high)))
    bits = max(_log_size(small), _log_size(large))
    if bits * max(abs(end) for end in _ends(exponent)) > MAX_BITS:
        raise DoesNotEvaluateError(f"a power of more than {MAX_BITS} bits")
    return Interval(_interval(base) ** _interval(exponent))


def _log_size(value: Fraction) -> int:
    """A whole number not below |log2(value)|."""
    return abs(value.numerator.bit_length() - value.denominator.bit_length()) + 1


def _root(value: Value) -> Value:
    if not isinstance(value, Fraction):
        if _ends(value)[0] < 0:
            raise DoesNotEvaluateError("60 digits do not tell whether a root is of 0 or more")
        return Interval(value.bounds ** _context().mpf(0.5))
    if value < 0:
        raise DoesNotEvaluateError("square root of a negative value")
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    if above**2 == value.numerator and below**2 == value.denominator:
        return Fraction(above, below)
    return Interval(_context().sqrt(_interval(value)))


def _log2(value: Value) -> Value:
    if isinstance(value, Fraction):
        if value <= 0:
            raise DoesNotEvaluateError("logarithm of a value that is not positive")
        for part, sign in ((value, 1), (1 / value, -1)):
            if part.denominator == 1 and part.numerator & (part.numerator - 1) == 0:
                return Fraction(sign * (part.numerator.bit_length() - 1))
    elif _ends(value)[0] <= 0:
        raise DoesNotEvaluateError("60 digits do not tell whether a logarithm is of more than 0")
    context = _context()
    return Interval(context.log(_interval(value)) / context.log(2))


def _call(function: str, args: list[Value]) -> Value:
    if function in ("max", "min"):
        wanted = ">=" if function == "max" else "<="
        return reduce(lambda a, b: a if compare(a, wanted, b) else b, args)
    if function == "sqrt":
        return _root(args[0])
    if function == "log2":
        return _log2(args[0])
    low, high = _ends(args[0])
    whole = {_round(low, function), _round(high, function)}
    if len(whole) != 1:
        raise DoesNotEvaluateError(f"60 digits do not decide a {function}")
    return Fraction(whole.pop())


def _round(value: Fraction, function: str) -> int:
    return -((-value).__floor__()) if function == "ceil" else value.__floor__()


def _ends(value: Value) -> tuple[Fraction, Fraction]:
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


def _interval(value: Value) -> Any:
    if isinstance(value, Interval):
        return value.bounds
    context = _context()
    return context.mpf(value.numerator) / context.mpf(value.denominator)
