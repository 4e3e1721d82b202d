"""The exact reading: a tree and the values of its letters to a Fraction.

Logarithms and roots that are not rational become 60-digit intervals (mpmath), and whatever an
interval cannot decide (an order, a ceiling) is reported as undecided, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import Any, TypeAlias

from workings.formula.interval import (
    MAX_BITS,
    DoesNotEvaluateError,
    Interval,
    Value,
    bounds_of,
    ends,
    log2,
    power,
    root,
)
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

MAX_TERMS = 1_000_000  # of sums, each counted with the parts of its body

Part: TypeAlias = tuple[int, int] | Interval  # numerator and denominator, the latter above 0


def evaluate(
    node: Expr, values: Mapping[str, Fraction | int | Interval], effort: Effort | None = None
) -> Value:
    """The exact value in base units. Raises DoesNotEvaluateError, also where the effort is used up."""
    return _value(_Evaluation(values, effort).read(node))


def holds(relations: Relations, values: Mapping[str, Fraction | int | Interval]) -> bool:
    """Whether every link of the chain is true at these values. Raises DoesNotEvaluateError."""
    sides = [evaluate(relations.first, values)]
    sides += [evaluate(part, values) for _, part in relations.rest]
    links = zip(sides, sides[1:], relations.rest, strict=False)
    return all(compare(left, relation, right) for left, right, (relation, _) in links)


def compare(left: Value, relation: str, right: Value) -> bool:
    """left < right and so on; raises DoesNotEvaluateError where 60 digits do not tell."""
    order = _order(_part(left), _part(right))
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
    """One evaluation: the letters and how many terms of sums it has used.

    Inside, a rational value is a pair of whole numbers, reduced once a sum or product: five times
    faster than a Fraction a part, and exact plans of thousands of layouts are made of these.
    """

    def __init__(self, values: Mapping[str, Fraction | int | Interval], effort: Effort | None) -> None:
        self.values, self.effort, self.terms = values, effort, 0

    def read(self, node: Expr) -> Part:
        if self.effort is not None:
            self.effort.spend()
        return _READERS[type(node)](self, node)

    def number(self, node: Num) -> Part:
        scaled = node.value * parse_unit(node.unit).scale if node.unit else node.value
        return scaled.as_integer_ratio()

    def letter(self, node: Name) -> Part:
        known = self.values.get(node.id)
        if known is None:
            raise DoesNotEvaluateError(f"no value for the letter {node.id}")
        return known if isinstance(known, Interval) else known.as_integer_ratio()

    def negative(self, node: Negative) -> Part:
        return _minus(self.read(node.operand))

    def total(self, node: Add) -> Part:
        found = self.read(node.first)
        for sign, term in node.rest:
            part = self.read(term)
            found = _plus(found, part if sign == "+" else _minus(part))
        return _reduced(found)

    def product(self, node: Product) -> Part:
        found = self.read(node.first)
        for operation, factor in node.rest:
            part = self.read(factor)
            found = _times(found, part if operation == "*" else _inverse(part))
        return _reduced(found)

    def power(self, node: Power) -> Part:
        return _part(power(_value(self.read(node.base)), _value(self.read(node.exponent))))

    def call(self, node: Call) -> Part:
        return _call(node.function, [self.read(arg) for arg in node.args])

    def series(self, node: Series) -> Part:
        low, high = self.read(node.lower), self.read(node.upper)
        if isinstance(low, Interval) or isinstance(high, Interval) or low[1] != 1 or high[1] != 1:
            raise DoesNotEvaluateError("the range of a sum is not a whole number")
        self.terms += max(0, high[0] - low[0] + 1) * sum(1 for _ in walk(node.body))
        if self.terms > MAX_TERMS:
            raise DoesNotEvaluateError(f"a sum of more than {MAX_TERMS:,} terms")
        outer = self.values
        self.values = inside = dict(outer)
        total: Part = (0, 1)
        for i in range(low[0], high[0] + 1):
            inside[node.index] = i
            total = _reduced(_plus(total, self.read(node.body)))
            if not isinstance(total, Interval) and total[1].bit_length() > MAX_BITS:
                raise DoesNotEvaluateError(f"a sum whose denominator has more than {MAX_BITS} bits")
        self.values = outer
        return total


_READERS: Mapping[type, Callable[..., Part]] = {
    Num: _Evaluation.number,
    Name: _Evaluation.letter,
    Negative: _Evaluation.negative,
    Add: _Evaluation.total,
    Product: _Evaluation.product,
    Power: _Evaluation.power,
    Call: _Evaluation.call,
    Series: _Evaluation.series,
}


def _part(value: Value | int) -> Part:
    return value if isinstance(value, Interval) else value.as_integer_ratio()


def _value(part: Part) -> Value:
    return part if isinstance(part, Interval) else Fraction(*part)


def _reduced(part: Part) -> Part:
    if isinstance(part, Interval) or part[1] == 1:
        return part
    above, below = part
    common = gcd(above, below)
    return part if common == 1 else (above // common, below // common)


def _minus(a: Part) -> Part:
    return Interval(-a.bounds) if isinstance(a, Interval) else (-a[0], a[1])


def _plus(a: Part, b: Part) -> Part:
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(_bounds(a) + _bounds(b))
    if a[1] == b[1]:
        return a[0] + b[0], a[1]
    return a[0] * b[1] + b[0] * a[1], a[1] * b[1]


def _times(a: Part, b: Part) -> Part:
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(_bounds(a) * _bounds(b))
    return a[0] * b[0], a[1] * b[1]


def _inverse(a: Part) -> Part:
    if isinstance(a, Interval):
        if 0 in a.bounds:
            raise DoesNotEvaluateError("division by a value that 60 digits do not tell from zero")
        return Interval(1 / a.bounds)
    above, below = a
    if above == 0:
        raise DoesNotEvaluateError("division by zero")
    return (below, above) if above > 0 else (-below, -above)


def _order(a: Part, b: Part) -> int:
    """1, 0 or -1 as a is more than b, equal or less."""
    if isinstance(a, Interval) or isinstance(b, Interval):
        gap = _bounds(a) - _bounds(b)
        if gap > 0 or gap < 0:
            return 1 if gap > 0 else -1
        raise DoesNotEvaluateError("60 digits do not tell the two sides apart")
    left, right = a[0] * b[1], b[0] * a[1]
    return (left > right) - (left < right)


def _bounds(a: Part) -> Any:
    return bounds_of(_value(a))


def _call(function: str, args: list[Part]) -> Part:
    if function == "max":
        return reduce(lambda a, b: a if _order(a, b) >= 0 else b, args)
    if function == "min":
        return reduce(lambda a, b: a if _order(a, b) <= 0 else b, args)
    if function == "sqrt":
        return _part(root(_value(args[0])))
    if function == "log2":
        return _part(log2(_value(args[0])))
    low, high = ends(_value(args[0]))
    whole = {_round(low, function), _round(high, function)}
    if len(whole) != 1:
        raise DoesNotEvaluateError(f"60 digits do not decide a {function}")
    return whole.pop(), 1


def _round(value: Fraction, function: str) -> int:
    return -((-value).__floor__()) if function == "ceil" else value.__floor__()
