"""A formula as a constant and parts that are multiplied: what a displayed product is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workings.formula.tree import Expr, Name, Num, Power, Product

MOST_POWER = 4


@dataclass(frozen=True, slots=True)
class Form:
    """A constant times parts, each to the power 1 or -1; a square is two parts."""

    constant: Fraction
    parts: tuple[tuple[Expr, int], ...]


def form_of(node: Expr) -> Form | None:
    """A formula as a product; None where its constant is nothing."""
    constant, parts = Fraction(1), list[tuple[Expr, int]]()
    for part, power in _parts(node, 1):
        if isinstance(part, Num):
            if not part.value:
                return None
            constant *= part.value**power
        else:
            parts.append((part, power))
    return Form(constant, tuple(_cancelled(parts)))


def _parts(node: Expr, power: int) -> Iterator[tuple[Expr, int]]:
    match node:
        case Product(first, rest):
            yield from _parts(first, power)
            for sign, part in rest:
                yield from _parts(part, power if sign == "*" else -power)
        case Power(base, Num(value)) if value.denominator == 1 and 0 < value <= MOST_POWER:
            for _ in range(int(value)):
                yield from _parts(base, power)
        case _:
            yield node, power


def _cancelled(parts: list[tuple[Expr, int]]) -> Iterator[tuple[Expr, int]]:
    """Without what stands above and below."""
    left = list(parts)
    for part, power in parts:
        if power > 0 and (part, -1) in left and isinstance(part, Name):
            left.remove((part, 1))
            left.remove((part, -1))
    yield from left
