"""Letters replaced by numbers in the next side: `12 L d^2 = 12 * 96 * 12288^2`.

Where both sides have one shape, the numbers that stand in place of letters are the letters' values.
That says what the letters are, and a letter that stands for two numbers in one step is a slip.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from workings.check.sentences import without_unit
from workings.formula.tree import (
    Add,
    Call,
    Expr,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Series,
    names_in,
    walk,
)


@dataclass(frozen=True, slots=True)
class Substitution:
    """The number each letter was replaced by; `clash` names a letter that got two."""

    values: dict[str, Num]
    clash: str = ""


class _DifferentShapeError(Exception):
    """The sides do not have one shape."""


def substitution(left: Expr, right: Expr) -> Substitution | None:
    """The values of the left side's letters in the right side, or None where the shapes differ."""
    if not names_in(left) or names_in(right) or isinstance(left, Name) or isinstance(right, Num):
        return None
    try:
        pairs = list(_pairs(without_unit(left), _of_the_whole(without_unit(right))))
    except _DifferentShapeError:
        return None
    values: dict[str, Num] = {}
    clash = ""
    for name, number in pairs:
        if name in values and values[name].value != number.value:
            clash = clash or name
        values.setdefault(name, number)
    return Substitution(values, clash)


def _of_the_whole(right: Expr) -> Expr:
    """`12*96*4 GB` without its unit: behind the last factor of a product it is the product's."""
    units = [part for part in walk(right) if isinstance(part, Num) and part.unit]
    if not isinstance(right, Product) or len(units) != 1 or right.rest[-1] != ("*", units[0]):
        return right
    return Product(right.first, (*right.rest[:-1], ("*", replace(units[0], unit=None))))


def _pairs(left: Expr, right: Expr) -> list[tuple[str, Num]]:
    """Every letter with the number in its place. Raises _DifferentShapeError."""
    match left, right:
        case Name(name), Num():
            return [(name, right)]
        case Num(value), Num(other) if value == other:
            return []
        case Negative(a), Negative(b):
            return _pairs(a, b)
        case Power(base, exponent), Power(other, power):
            return _pairs(base, other) + _pairs(exponent, power)
        case Add(), Add():
            return _terms(left, right)
        case Product(), Product():
            return _factors(left, right)
        case Call(f, args), Call(g, others) if f == g and len(args) == len(others):
            return [pair for a, b in zip(args, others, strict=True) for pair in _pairs(a, b)]
        case Series(), _:
            raise _DifferentShapeError
    raise _DifferentShapeError


def _terms(left: Add, right: Add) -> list[tuple[str, Num]]:
    if [sign for sign, _ in left.rest] != [sign for sign, _ in right.rest]:
        raise _DifferentShapeError
    found = _pairs(left.first, right.first)
    for (_, a), (_, b) in zip(left.rest, right.rest, strict=True):
        found += _pairs(a, b)
    return found


def _factors(left: Product, right: Product) -> list[tuple[str, Num]]:
    """Factor by factor; where their order differs, constants are paired with their equals first."""
    a, b = _flat(left), _flat(right)
    if [sign for sign, _ in a] != [sign for sign, _ in b]:
        raise _DifferentShapeError
    try:
        return [pair for (_, x), (_, y) in zip(a, b, strict=True) for pair in _pairs(x, y)]
    except _DifferentShapeError:
        return _reordered(a, b)


def _flat(product: Product) -> list[tuple[str, Expr]]:
    """The factors, those of a product in front included."""
    first = _flat(product.first) if isinstance(product.first, Product) else [("*", product.first)]
    return [*first, *product.rest]


def _reordered(a: list[tuple[str, Expr]], b: list[tuple[str, Expr]]) -> list[tuple[str, Num]]:
    if any(sign == "/" for sign, _ in a):
        raise _DifferentShapeError
    constants = Counter(x.value for _, x in a if isinstance(x, Num))
    rest: list[Expr] = []
    for _, y in b:
        if isinstance(y, Num) and constants[y.value] > 0:
            constants[y.value] -= 1
        else:
            rest.append(y)
    open_factors = [x for _, x in a if not isinstance(x, Num)]
    if +constants or len(open_factors) != len(rest):
        raise _DifferentShapeError
    return [pair for x, y in zip(open_factors, rest, strict=True) for pair in _pairs(x, y)]
