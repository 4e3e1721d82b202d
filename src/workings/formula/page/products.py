"""Products as pages write them: `2.4 × 10^11` is one number, and a divisor may have several factors."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeGuard

from workings.formula.tree import Expr, Name, Negative, Num, Power, Product, Span


def divide_also(rest: list[tuple[Literal["*", "/"], Expr]], factor: Expr) -> None:
    """Put a factor into the last divisor."""
    at = max(i for i, (sign, _) in enumerate(rest) if sign == "/")
    below = rest[at][1]
    inner = (*below.rest, ("*", factor)) if isinstance(below, Product) else (("*", factor),)
    front = below.first if isinstance(below, Product) else below
    divisor: tuple[Literal["*", "/"], Expr] = ("/", Product(front, inner, factor.span))
    rest[at] = divisor


def is_bare(node: Expr) -> bool:
    """A factor that a reader takes together with its neighbour: a letter, number or power."""
    if isinstance(node, Product):
        return all(sign == "*" and is_bare(part) for sign, part in (("*", node.first), *node.rest))
    return isinstance(node, Name | Num | Power)


def scientific(
    first: Expr, rest: list[tuple[Literal["*", "/"], Expr]]
) -> tuple[Expr, list[tuple[Literal["*", "/"], Expr]]]:
    """Fold `2.4 * 10^11` into one number, also behind a division."""
    power = power_of_ten(first)
    if power is not None and (power > 2 or power < 0):
        first = Num(Fraction(10) ** power, _trailing_unit(first), f"1e{power}", first.span)
    factors: list[tuple[Literal["*", "/"], Expr]] = [("*", first)]
    for sign, factor in rest:
        before = factors[-1][1]
        power = power_of_ten(factor)
        if (
            sign == "*"
            and power is not None
            and isinstance(before, Num)
            and before.unit is None
            and _plain(before)
        ):
            span = Span(before.span.start, factor.span.end) if before.span and factor.span else None
            number = Num(
                before.value * Fraction(10) ** power,
                _trailing_unit(factor),
                f"{before.text}e{power}",
                span,
            )
            factors[-1] = (factors[-1][0], number)
        elif sign == "*" and isinstance(before, Num) and before.unit is None and _is_unit(factor):
            factors[-1] = (factors[-1][0], replace(before, unit=factor.unit))
        elif power is not None and (power > 2 or power < 0):
            factors.append(
                (sign, Num(Fraction(10) ** power, _trailing_unit(factor), f"1e{power}", factor.span))
            )
        else:
            factors.append((sign, factor))
    return factors[0][1], factors[1:]


def _is_unit(node: Expr) -> TypeGuard[Num]:
    """A bare unit that stands as a factor."""
    return isinstance(node, Num) and node.unit is not None and node.text == ""


def _plain(number: Num) -> bool:
    return bool(re.fullmatch(r"[0-9,.]+", number.text))


def power_of_ten(node: Expr) -> int | None:
    """The n of a written 10^n."""
    if not isinstance(node, Power) or not isinstance(node.base, Num) or node.base.text != "10":
        return None
    exponent, sign = node.exponent, 1
    if isinstance(exponent, Negative):
        exponent, sign = exponent.operand, -1
    if not isinstance(exponent, Num) or exponent.value.denominator != 1 or exponent.value > 400:
        return None
    return sign * int(exponent.value)


def _trailing_unit(node: Expr) -> str | None:
    return node.exponent.unit if isinstance(node, Power) and isinstance(node.exponent, Num) else None
