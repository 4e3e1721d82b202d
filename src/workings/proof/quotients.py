"""Ways to write a fraction of polynomials in letters.

Common factors come from greatest common divisors: a polynomial that is linear in some letter, with
coefficients that share nothing, has no factors, so that hardly any has to be factored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Any

import sympy


def quotient(above: Any, under: Any) -> tuple[Any, Any]:
    """A fraction of polynomials without what both share, the minus signs where they read best."""
    shared = above.gcd(under)
    above, under = above.quo(shared), under.quo(shared)
    return (-above, -under) if _awkward(above, under) > _awkward(-above, -under) else (above, under)


def _awkward(above: Any, under: Any) -> tuple[bool, int, bool]:
    """What tells `x/(p - 1)` from `-x/(1 - p)`: a divisor negative for counts, then minus signs."""
    counts = all(letter.is_integer for letter in under.as_expr().free_symbols)
    falls = any(c < 0 for c in under.coeffs())
    backwards = falls and (all(c < 0 for c in under.coeffs()) or (counts and under.coeff(1) > 0))
    minus = [c for part in (above, under) for c in part.coeffs() if c < 0]
    return backwards, len(minus), above.LC < 0


def coefficients(polynomial: Any, letter: Any) -> dict[int, Any]:
    """The coefficients of the powers of a letter that occur, by power, highest first."""
    ring, index = polynomial.ring, polynomial.ring.index(letter)
    found: dict[int, Any] = {}
    for powers, coefficient in polynomial.terms():
        rest = tuple(0 if i == index else power for i, power in enumerate(powers))
        found[powers[index]] = found.get(powers[index], ring.zero) + ring({rest: coefficient})
    return {power: found[power] for power in sorted(found, reverse=True)}


def _factors(polynomial: Any) -> list[Any]:
    """A polynomial as factors: its content in a letter in which it is linear, and what is left."""
    if len(polynomial) < 2:
        return [polynomial]
    for letter, most in zip(polynomial.ring.gens, polynomial.degrees(), strict=True):
        if most == 1:
            content = reduce(lambda a, b: a.gcd(b), coefficients(polynomial, letter).values())
            return [polynomial] if content == 1 else [*_factors(content), polynomial.quo(content)]
    constant, factors = polynomial.factor_list()
    return [polynomial.ring(constant), *(factor for factor, times in factors for _ in range(times))]


def ways(above: Any, under: Any) -> Iterator[Any]:
    """A fraction of products, the same with sums grouped, and the fraction term by term."""
    top, bottom = _factors(above), _factors(under)
    plain = [sympy.Mul(*(part.as_expr() for part in parts)) for parts in (top, bottom)]
    yield plain[0] / plain[1]
    short = [sympy.Mul(*(grouped(part) for part in parts)) for parts in (top, bottom)]
    yield short[0] / short[1]
    terms = [term.as_expr() / plain[1] for term in _terms(above)]
    if len(terms) > 1:
        yield sympy.Add(*terms)


def _terms(polynomial: Any) -> list[Any]:
    return [polynomial.ring({powers: coefficient}) for powers, coefficient in polynomial.terms()]


def grouped(polynomial: Any) -> Any:
    """`a*b + a*c + d` as `a*(b + c) + d`: before a bracket the letter that most terms share."""
    terms = _terms(polynomial)
    if len(terms) < 2:
        return polynomial.as_expr()
    shared = reduce(lambda a, b: a.gcd(b), terms)
    shared = -shared if all(c < 0 for c in polynomial.coeffs()) else shared
    if shared not in (1, -1):
        number = shared.is_ground  # by which SymPy would multiply out the bracket
        return sympy.Mul(shared.as_expr(), grouped(polynomial.quo(shared)), evaluate=not number)
    often = Counter(i for term in terms for i, power in enumerate(term.leading_expv()) if power)
    place, times = max(often.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    if times < 2:
        return polynomial.as_expr()
    inside = sum((t for t in terms if t.leading_expv()[place]), start=polynomial.ring.zero)
    return sympy.Add(grouped(inside), grouped(polynomial - inside))
