"""A letter that stands linearly in a formula, solved for by its coefficient, and ways to write that.

Everything happens among polynomials in the letters, where common factors come from greatest common
divisors: a polynomial that is linear in some letter, with coefficients that share nothing, has no
factors, so that hardly any has to be factored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Any

import sympy
from sympy.polys.rings import sring


def linear_root(expression: Any, wanted: Any, unknown: Any) -> list[Any] | None:
    """Where a fraction of polynomials is what is wanted, written in several ways.

    None where the unknown does not stand linearly in it, once written over one denominator; nothing where
    there is no such place, or only one that is not positive.
    """
    if not expression.is_rational_function():
        return None
    gap, below = sympy.fraction(sympy.together(expression - wanted))
    _, (gap, below, letter) = sring([gap, below, unknown])
    gap = gap.quo(gap.gcd(below))
    if gap.degree(letter) != 1:
        return None
    slope, *rest = _coefficients(gap, letter)
    if not rest:
        return []
    offset = rest[0]
    shared = slope.gcd(offset)
    above, under = -offset.quo(shared), slope.quo(shared)
    if _awkward(above, under) > _awkward(-above, -under):
        above, under = -above, -under
    ways = list(_ways(above, under))
    return [] if ways[0].is_positive is False else ways


def _awkward(above: Any, under: Any) -> tuple[bool, int, bool]:
    """What tells `x/(p - 1)` from `-x/(1 - p)`: a divisor negative for counts, then minus signs."""
    counts = all(letter.is_integer for letter in under.as_expr().free_symbols)
    falls = any(c < 0 for c in under.coeffs())
    backwards = falls and (all(c < 0 for c in under.coeffs()) or (counts and under.coeff(1) > 0))
    minus = [c for part in (above, under) for c in part.coeffs() if c < 0]
    return backwards, len(minus), above.LC < 0


def _coefficients(polynomial: Any, letter: Any) -> list[Any]:
    """The coefficients of the powers of a letter that occur, highest first."""
    ring, index = polynomial.ring, polynomial.ring.index(letter)
    found: dict[int, Any] = {}
    for powers, coefficient in polynomial.terms():
        rest = tuple(0 if i == index else power for i, power in enumerate(powers))
        found[powers[index]] = found.get(powers[index], ring.zero) + ring({rest: coefficient})
    return [found[power] for power in sorted(found, reverse=True)]


def _factors(polynomial: Any) -> list[Any]:
    """A polynomial as factors: its content in a letter in which it is linear, and what is left."""
    if len(polynomial) < 2:
        return [polynomial]
    for letter, most in zip(polynomial.ring.gens, polynomial.degrees(), strict=True):
        if most == 1:
            content = reduce(lambda a, b: a.gcd(b), _coefficients(polynomial, letter))
            return [polynomial] if content == 1 else [*_factors(content), polynomial.quo(content)]
    constant, factors = polynomial.factor_list()
    return [polynomial.ring(constant), *(factor for factor, times in factors for _ in range(times))]


def _ways(above: Any, under: Any) -> Iterator[Any]:
    """A fraction of products, the same with sums grouped, and the fraction term by term."""
    top, bottom = _factors(above), _factors(under)
    plain = [sympy.Mul(*(part.as_expr() for part in parts)) for parts in (top, bottom)]
    yield plain[0] / plain[1]
    grouped = [sympy.Mul(*(_grouped(part) for part in parts)) for parts in (top, bottom)]
    yield grouped[0] / grouped[1]
    terms = [term.as_expr() / plain[1] for term in _terms(above)]
    if len(terms) > 1:
        yield sympy.Add(*terms)


def _terms(polynomial: Any) -> list[Any]:
    return [polynomial.ring({powers: coefficient}) for powers, coefficient in polynomial.terms()]


def _grouped(polynomial: Any) -> Any:
    """`a*b + a*c + d` as `a*(b + c) + d`: before a bracket the letter that most terms share."""
    terms = _terms(polynomial)
    if len(terms) < 2:
        return polynomial.as_expr()
    shared = reduce(lambda a, b: a.gcd(b), terms)
    shared = -shared if all(c < 0 for c in polynomial.coeffs()) else shared
    if shared not in (1, -1):
        number = shared.is_ground  # by which SymPy would multiply out the bracket
        return sympy.Mul(shared.as_expr(), _grouped(polynomial.quo(shared)), evaluate=not number)
    often = Counter(i for term in terms for i, power in enumerate(term.leading_expv()) if power)
    place, times = max(often.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    if times < 2:
        return polynomial.as_expr()
    inside = sum((t for t in terms if t.leading_expv()[place]), start=polynomial.ring.zero)
    return sympy.Add(_grouped(inside), _grouped(polynomial - inside))
