"""The unit reading: which byte, FLOP, second and currency exponents a tree has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from workings.formula.plain import plain
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
)
from workings.units import ONE, Dimension, UnitError, parse_unit


def dimension_of(node: Expr, letters: Mapping[str, Dimension]) -> Dimension:
    """The dimension of an expression. Raises UnitError naming the part that does not fit."""
    match node:
        case Num(unit=unit):
            return parse_unit(unit).dimension if unit else ONE
        case Name(name):
            if name not in letters:
                raise UnitError(f"no unit for the letter {name}")
            return letters[name]
        case Negative(operand):
            return dimension_of(operand, letters)
        case Add(first, rest):
            return _same(node, [first, *(term for _, term in rest)], letters)
        case Product(first, rest):
            result = dimension_of(first, letters)
            for sign, factor in rest:
                part = dimension_of(factor, letters)
                result = result * part if sign == "*" else result / part
            return result
        case Power(base, exponent):
            return _power(node, base, exponent, letters)
        case Call(function, args):
            if function in ("max", "min"):
                return _same(node, args, letters)
            inner = dimension_of(args[0], letters)
            if function == "sqrt":
                return inner ** Fraction(1, 2)
            return _plain_number(node, inner)
        case Series(body, index, lower, upper):
            for bound in (lower, upper):
                _plain_number(node, dimension_of(bound, letters))
            return dimension_of(body, {**letters, index: ONE})


def check_relations(node: Relations, letters: Mapping[str, Dimension]) -> Dimension:
    """All sides of a chain of relations must share one dimension."""
    return _same(node, [node.first, *(part for _, part in node.rest)], letters)


def _same(node: Expr | Relations, parts: Sequence[Expr], letters: Mapping[str, Dimension]) -> Dimension:
    """One dimension for all parts. A bare 0 fits every dimension."""
    dimensions = [(part, dimension_of(part, letters)) for part in parts if not _is_zero(part)]
    if not dimensions:
        return ONE
    first, wanted = dimensions[0]
    for part, found in dimensions[1:]:
        if found != wanted:
            raise UnitError(
                f"in {plain(node)}: {plain(first)} is in {wanted} but {plain(part)} is in {found}"
            )
    return wanted


def _is_zero(node: Expr) -> bool:
    return isinstance(node, Num) and node.value == 0 and node.unit is None


def _plain_number(node: Expr, found: Dimension) -> Dimension:
    if found != ONE:
        raise UnitError(f"in {plain(node)}: expected a plain number, found {found}")
    return ONE


def _power(node: Power, base: Expr, exponent: Expr, letters: Mapping[str, Dimension]) -> Dimension:
    inside = dimension_of(base, letters)
    _plain_number(node, dimension_of(exponent, letters))
    if inside == ONE:
        return ONE
    match exponent:
        case Num(value):
            return inside**value
        case Negative(Num(value)):
            return inside ** (-value)
        case Product(Num(above), (("/", Num(below)),)) if below:
            return inside ** (above / below)
    raise UnitError(f"in {plain(node)}: a quantity with a unit needs a literal exponent")
