"""The positive roots of `a*x^2 + b*x + c` with polynomials for coefficients, and ways to write them."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import sympy

from workings.proof.quotients import grouped, quotient, ways


def positive(a: Any, b: Any, c: Any) -> Iterator[list[Any]]:
    """Ways to write each root, without those that cannot be positive; `a`, and `b` too, may be 0."""
    if _sign(a or b) < 0:
        a, b, c = -a, -b, -c
    rises = _sign(a or b) > 0
    falls = not b or not a or _sign(b) > 0  # whether b alone makes no root positive
    if not (a or b) or (rises and falls and _sign(c) > 0):
        return
    if not a or not b:
        roots = ways(*quotient(-c, a or b))
        yield [_root(way) for way in roots] if a else list(roots)
        return
    yield list(_written(a, b, c, 1))
    if not (rises and (falls or _sign(c) < 0)):
        yield list(_written(a, b, c, -1))


def _sign(polynomial: Any) -> int:
    """1 or -1 where all coefficients have that sign and no letter is negative, else 0."""
    signs = {1 if coefficient > 0 else -1 for coefficient in polynomial.coeffs()}
    sure = all(symbol.is_nonnegative for symbol in polynomial.as_expr().free_symbols)
    return signs.pop() if sure and len(signs) == 1 else 0


def _written(a: Any, b: Any, c: Any, sign: int) -> Iterator[Any]:
    """Ways to write one root: over one denominator, and as what lies on both sides of a middle."""
    under = b**2 - 4 * a * c
    outside, inside = _square_out_of(under)
    shared = b.gcd(outside).gcd(2 * a)
    middle, beside, below = (part.quo(shared) for part in (-b, outside * sign, 2 * a))
    if _sign(below) < 0:
        middle, beside, below = -middle, -beside, -below
    for write in (grouped, operator.methodcaller("as_expr")):
        root = sympy.Mul(beside.as_expr(), _root(write(inside)), evaluate=False)
        yield sympy.Mul(sympy.Add(write(middle), root), 1 / write(below))
    mean = next(ways(*quotient(-b, 2 * a)))
    for radicand in ways(*quotient(under, 4 * a**2)):
        yield sympy.Add(mean, sympy.Mul(sign, _root(radicand), evaluate=sign > 0))


def _square_out_of(polynomial: Any) -> tuple[Any, Any]:
    """The square root of what is a square in a product of letters and a number, and what is left."""
    ring = polynomial.ring
    content, rest = polynomial.primitive()
    number, _ = sympy.sqrt(ring.domain.to_sympy(content)).as_coeff_Mul()
    powers = tuple(min(column) // 2 for column in zip(*rest.monoms(), strict=True))
    outside = ring({powers: ring.domain.from_sympy(number)})
    return outside, polynomial.quo(outside**2)


def _root(radicand: Any) -> Any:
    """A root as one: SymPy would take it apart for positive letters."""
    whole = radicand.is_Atom or (radicand.is_Pow and radicand.exp.is_Integer)
    return sympy.Pow(radicand, sympy.Rational(1, 2), evaluate=whole)
