"""A quick look in floating point: whether two sides could be equal up to one factor.

It only spares exact comparisons that are bound to fail; no verdict rests on it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from zlib import crc32

from workings.formula.tree import Add, Call, Expr, Name, Negative, Num, Power, Product, Series, substitute
from workings.units import parse_unit

_POINTS = (1, 2)


def alike(left: Expr, right: Expr) -> bool:
    """Whether the quotient of the sides is about the same at two points, or cannot be told."""
    quotients = []
    for point in _POINTS:
        try:
            below = rough(right, point)
            quotients.append(rough(left, point) / below)
        except (ArithmeticError, ValueError, TypeError):
            return True
    first, second = quotients
    return math.isfinite(first) and abs(first - second) <= 0.05 * abs(first)


def rough(node: Expr, point: int) -> float:
    """The value in floating point; letters are numbers made of their names."""
    match node:
        case Num(value, unit):
            return float(value) * (float(parse_unit(unit).scale) if unit else 1.0)
        case Name(name):
            return 3.0 + crc32(f"{point}{name}".encode()) % 9973 / 17
        case Negative(operand):
            return -rough(operand, point)
        case Add(first, rest):
            total = rough(first, point)
            for sign, term in rest:
                total += rough(term, point) if sign == "+" else -rough(term, point)
            return total
        case Product(first, rest):
            result = rough(first, point)
            for operation, factor in rest:
                size = rough(factor, point)
                result = result * size if operation == "*" else result / size
            return result
        case Power(base, exponent):
            return float(rough(base, point) ** rough(exponent, point))
        case Call(function, args):
            values = [rough(arg, point) for arg in args]
            known = {"max": max(values), "min": min(values)}
            if function in known:
                return known[function]
            one = values[0]
            return {"ceil": one, "floor": one}.get(function) or (
                math.sqrt(one) if function == "sqrt" else math.log2(one)
            )
        case Series(body, index, lower, upper):
            low, high = rough(lower, point), rough(upper, point)
            middle = Num(Fraction((low + high) / 2))
            return rough(substitute(body, {index: middle}), point) * (high - low + 1)
