"""Expansions for a small letter: `exp(x) ≈ 1 + x`, `ln(1 + x) ≈ x`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from workings.comparing.nearness import pair_of
from workings.comparing.points import probes_for
from workings.formula import DoesNotEvaluateError, names_in
from workings.formula.tree import Call, Expr, Power, walk

SMALL = Fraction(1, 10**6)
SECOND_ORDER = 100  # times the square of the letter, and the largest of the others: what is left out
TRIED = 3  # values of the other letters


def small_letter(left: Expr, right: Expr, letters: Sequence[str]) -> str | None:
    """The letter of a root, logarithm or exponential for small values of which the sides agree."""
    inside = {name for side in (left, right) for name in _transcendental(side)}
    found = (letter for letter in letters if letter in inside)
    return next((letter for letter in found if _agree(left, right, letters, letter)), None)


def _transcendental(side: Expr) -> Iterator[str]:
    """The letters under a root or logarithm, or in an exponent."""
    for part in walk(side):
        if isinstance(part, Call) and part.function in ("log2", "sqrt"):
            yield from names_in(part)
        elif isinstance(part, Power):
            yield from names_in(part.exponent)


def _agree(left: Expr, right: Expr, letters: Sequence[str], letter: str) -> bool:
    tried = 0
    for point in islice(probes_for(left, right, letters), TRIED):
        try:
            pair = pair_of(left, right, {**point, letter: SMALL})
        except DoesNotEvaluateError:
            continue
        others = (value for name, value in point.items() if name != letter)
        if abs(pair.a - pair.b) > SECOND_ORDER * SMALL**2 * max(Fraction(1), abs(pair.a), *others):
            return False
        tried += 1
    return tried > 0
