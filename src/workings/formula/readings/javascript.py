"""The tree as JSON, which a page's script reads; and the figures that both languages use.

What Python and JavaScript must agree on (limits, precision, scales of units) is written in Python and
handed over, so that no table stands twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from workings.formula.exact import MAX_TERMS
from workings.formula.interval import DIGITS, MAX_BITS
from workings.formula.readings import latex
from workings.formula.readings.mathml import GAPS
from workings.formula.readings.typeset import FENCES, GREEK, RELATION
from workings.formula.tree import (
    Add,
    Call,
    Formula,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
)
from workings.units import ONE, UNITS, Unit
from workings.units.showing import MORE_BESIDE, PLAIN_FROM, PLAIN_UP_TO, WHOLE_DIGITS

PRECISION = 203  # bits of an interval's bound, which mpmath makes of 60 digits

Json: TypeAlias = Any  # a name is a string, anything else a list that begins with its kind


def expression(node: Formula) -> Json:
    """A formula as JSON: `["*", "N", "*", ["#", "2", "GB", "2"]]`."""
    match node:
        case Name(name):
            return name
        case Num(value, unit, text):
            return ["#", str(value), unit, text]
        case Negative(operand):
            return ["neg", expression(operand)]
        case Power(base, exponent):
            return ["^", expression(base), expression(exponent)]
        case Call(function, args):
            return [function, *map(expression, args)]
        case Series(body, index, lower, upper):
            return ["sum", expression(body), index, expression(lower), expression(upper)]
        case Add(first, rest):
            return ["+", *_joined(first, rest)]
        case Product(first, rest):
            return ["*", *_joined(first, rest)]
        case Relations(first, rest):
            return ["rel", *_joined(first, rest)]


def _joined(first: Formula, rest: Iterable[tuple[str, Formula]]) -> list[Json]:
    return [expression(first), *(part for sign, node in rest for part in (sign, expression(node)))]


def unit_table(units: Iterable[Unit]) -> dict[str, list[str]]:
    """What each unit is: its scale to base units and its dimension."""
    known = (Unit("1", ONE, Fraction(1)), UNITS["byte"], UNITS["bytes"], *units)  # 1 byte, 2 bytes
    return {unit.text: [str(unit.scale), str(unit.dimension)] for unit in known}


def figures() -> dict[str, int]:
    """The limits and choices of evaluating and of printing numbers, by name."""
    return {
        "DIGITS": DIGITS,
        "PRECISION": PRECISION,
        "MAX_BITS": MAX_BITS,
        "MAX_TERMS": MAX_TERMS,
        "WHOLE_DIGITS": WHOLE_DIGITS,
        "PLAIN_FROM": PLAIN_FROM,
        "PLAIN_UP_TO": PLAIN_UP_TO,
        "MORE_BESIDE": MORE_BESIDE,
    }


def signs() -> dict[str, Any]:
    """The signs that letters, relations and functions are set with."""
    tex = {"TEX_SIGNS": latex.SIGNS, "TEX_FENCES": latex.FENCES, "TEX_GAPS": latex.GAPS}
    return {"GREEK": GREEK, "RELATION": RELATION, "FENCES": FENCES, "GAPS": GAPS, **tex}
