"""The tree as a line of Python, to be pasted where its letters have values in bytes and seconds."""

from __future__ import annotations

import re
from keyword import iskeyword

from workings.formula.plain import ATOM, LOOSE, POWER, PRODUCT, SUM, number_text, tightness
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
    walk,
)
from workings.units import parse_unit

_RELATION = {"=": "==", "≈": "==", "<=>": "=="}
_IMPORTED = ("ceil", "floor", "log2", "sqrt")


def assignment(name: str, formula: Formula) -> str:
    """`M = S/N + A/2`, below the import that it needs."""
    used = {node.function for node in walk(formula) if isinstance(node, Call)}
    needed = [function for function in _IMPORTED if function in used]
    first = f"from math import {', '.join(needed)}\n" if needed else ""
    return f"{first}{identifier(name)} = {python(formula)}"


def python(node: Formula) -> str:
    """A formula as a Python expression of the same value."""
    if isinstance(node, Relations):
        parts = [f" {_RELATION.get(sign, sign)} {_write(part, LOOSE)}" for sign, part in node.rest]
        return _write(node.first, LOOSE) + "".join(parts)
    return _write(node, LOOSE)


def identifier(name: str) -> str:
    """A letter as a name that Python takes."""
    made = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"{made}_" if iskeyword(made) else made


def _write(node: Expr, place: int) -> str:
    """`place`: how tight the node must be to stand bare."""
    text = _bare(node)
    return f"({text})" if tightness(node) < place else text


def _bare(node: Expr) -> str:
    match node:
        case Num():
            return _literal(node)
        case Name(name):
            return identifier(name)
        case Negative(operand):
            return f"-{_write(operand, PRODUCT)}"
        case Add(first, rest):
            front = SUM if isinstance(first, Negative) else PRODUCT
            return _write(first, front) + "".join(f" {sign} {_write(t, PRODUCT)}" for sign, t in rest)
        case Product(first, rest):
            return _write(first, POWER) + "".join(f"{sign}{_write(f, POWER)}" for sign, f in rest)
        case Power(base, exponent):
            return f"{_write(base, ATOM)}**{_write(exponent, ATOM)}"
        case Call(function, args):
            return f"{function}({', '.join(_write(arg, LOOSE) for arg in args)})"
        case Series(body, index, lower, upper):
            ends = f"{_write(lower, LOOSE)}, {_write(upper, SUM)} + 1"
            return f"sum({_write(body, LOOSE)} for {identifier(index)} in range({ends}))"


def _literal(node: Num) -> str:
    """A number in base units: `95 GB` is 95000000000."""
    value = node.value * (parse_unit(node.unit).scale if node.unit else 1)
    if value.denominator == 1:
        return str(value.numerator)
    scaled = node.unit and parse_unit(node.unit).scale != 1
    text = number_text(node).replace(",", "")
    return text if not scaled else f"({text}*{parse_unit(str(node.unit)).scale})"
