"""The tree as plain text that the grammar reads back into the same tree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workings.formula.tree import (
    Add,
    Call,
    Expr,
    Formula,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    rebuild,
)

# How tightly each node holds together: a part looser than its place needs parentheses.
LOOSE, SUM, PRODUCT, POWER, ATOM = 0, 1, 2, 3, 4


def tightness(node: Expr) -> int:
    """The binding strength of a node's outermost operation."""
    match node:
        case Add() | Negative():
            return SUM
        case Product():
            return PRODUCT
        case Power():
            return POWER
        case Num() | Name() | Call() | Series():
            return ATOM


def plain(node: Formula, *, units: bool = True) -> str:
    """Write a formula as plain text; `units=False` leaves out units of literals and factors `1[FLOP]`."""
    if isinstance(node, Relations):
        parts = [plain(node.first, units=units)]
        parts += [f"{relation} {plain(part, units=units)}" for relation, part in node.rest]
        return " ".join(parts)
    return _write(node if units else without_ones(node), LOOSE, units, False)


def without_ones(node: Expr) -> Expr:
    """The formula without factors such as `1[FLOP]`, which say nothing where units are not shown."""
    node = rebuild(node, without_ones)
    if not isinstance(node, Product):
        return node
    first, *rest = (("*", node.first), *((s, f) for s, f in node.rest if not _one_of_a_unit(f)))
    if rest and rest[0][0] == "*" and _one_of_a_unit(first[1]):
        first, *rest = rest
    return replace(node, first=first[1], rest=tuple(rest)) if rest else first[1]


def _one_of_a_unit(node: Expr) -> bool:
    return isinstance(node, Num) and node.value == 1 and node.unit not in (None, "1")


def _write(node: Expr, place: int, units: bool, args: bool) -> str:
    """`place`: how tight the node must be to stand bare; `args`: a comma would split it."""
    if tightness(node) < place:
        return f"({_write(node, LOOSE, units, False)})"
    match node:
        case Num(unit=unit):
            text = number_text(node).replace(",", "") if args else number_text(node)
            return f"{text}[{unit}]" if unit and units else text
        case Name(name):
            return name
        case Negative(operand):
            return f"-{_write(operand, PRODUCT, units, args)}"
        case Add(first, rest):
            # A leading minus may stand bare in front of a sum; a sum in a sum may not.
            front = SUM if isinstance(first, Negative) else PRODUCT
            terms = [f" {s} {_write(t, PRODUCT, units, args)}" for s, t in rest]
            return _write(first, front, units, args) + "".join(terms)
        case Product(first, rest):
            factors = [f"{s}{_write(f, POWER, units, args)}" for s, f in rest]
            return _write(first, POWER, units, args) + "".join(factors)
        case Power(base, exponent):
            return f"{_write(base, ATOM, units, args)}^{_write(exponent, ATOM, units, args)}"
        case Call(function, arguments):
            return f"{function}({', '.join(_write(a, LOOSE, units, True) for a in arguments)})"
        case Series(body, index, lower, upper):
            low, high = _write(lower, LOOSE, units, True), _write(upper, LOOSE, units, True)
            return f"sum({_write(body, LOOSE, units, True)}, ({index}, {low}, {high}))"


def number_text(node: Num) -> str:
    """The literal as written, or the shortest exact decimal of its value."""
    if node.text:
        return node.text
    if node.value.denominator == 1:
        return str(node.value.numerator)
    return _decimal(node.value)


def _decimal(value: Fraction) -> str:
    """An exact finite decimal; ValueError where there is none (write a division instead)."""
    places = 0
    scaled = value
    while scaled.denominator != 1 and places < 80:
        scaled, places = scaled * 10, places + 1
    if scaled.denominator != 1:
        raise ValueError(f"{value} has no finite decimal")
    digits = f"{scaled.numerator:0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}"
