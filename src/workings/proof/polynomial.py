"""A letter solved for where it stands in a polynomial of degree one or two, with ways to write each root.

Everything happens among polynomials in the letters; what has no letter to solve for and is none
(`max(K/t, 1)`, `2^n`) takes part as a letter of its own and is put back after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy
from sympy.polys.rings import sring

from workings.proof.quadratic import positive
from workings.proof.quotients import coefficients


def positive_roots(expression: Any, wanted: Any, unknown: Any) -> list[list[Any]] | None:
    """Where an expression is what is wanted: ways to write each root that may be positive.

    None where it is no polynomial of degree one or two in the unknown, nor in one power with it in the
    base or the exponent, once all is written over one denominator.
    """
    parts = sorted(set(_parts(expression)), key=str)
    within = [part for part in parts if part.has(unknown)]
    if len(within) > 1 or not all(_opens(part, unknown) for part in within):
        return None
    letters = {part: _letter(part, f"part_{place}") for place, part in enumerate(parts)}
    plain, target = _with_letters(expression, letters), letters[within[0]] if within else unknown
    roots = None if within and plain.has(unknown) else _roots_for(plain - wanted, target)
    if roots is None:
        return None
    back = {letter: part for part, letter in letters.items()}
    written = [list(_put_back(root, back)) for root in roots]
    if not within:
        return written
    found = [_through(within[0], values, unknown) for values in written]
    return None if None in found else [root for roots in found for root in roots or ()]


def _roots_for(gap: Any, target: Any) -> list[list[Any]] | None:
    """Where a fraction of polynomials is 0; None where its degree is neither one nor two."""
    gap, below = sympy.fraction(sympy.together(gap))
    _, (gap, below, letter) = sring([gap, below, target])
    by_power = coefficients(gap.quo(gap.gcd(below)), letter)
    least = min(by_power, default=0)  # the root 0 is not positive
    a, b, c = (by_power.get(least + power, gap.ring.zero) for power in (2, 1, 0))
    degree = max(by_power, default=-1) - least
    return list(positive(a, b, c)) if by_power and degree < 3 else None


def _opens(part: Any, unknown: Any) -> bool:
    """Whether a part is a logarithm, or a power with the unknown in its base or its exponent alone."""
    if part.is_Pow:
        return bool(part.base.has(unknown) != part.exp.has(unknown))
    return isinstance(part, sympy.log)


def _through(part: Any, values: Sequence[Any], unknown: Any) -> list[list[Any]] | None:
    """Where a power or a logarithm with the unknown in it has one of these values."""
    inner, shorter = part.args[-1], sympy.simplify
    if isinstance(part, sympy.log):
        values = [sympy.exp(value) for value in values]
    elif inner.has(unknown):
        values = [sympy.log(value) / sympy.log(part.base) for value in values]
    else:
        values = [value ** (1 / part.exp) for value in values]
        values = [*values, *map(sympy.expand_power_base, values)]
        inner, shorter = part.base, sympy.factor if part.exp.is_Rational else sympy.simplify
    value = sympy.Dummy("value")
    roots = [[value]] if inner == unknown else positive_roots(inner, value, unknown)
    if roots is None:
        return None
    found = [[way.xreplace({value: one}) for way in root for one in values] for root in roots]
    return [[*ways, shorter(ways[0]), shorter(ways[-1])] for ways in found]


def _parts(expression: Any) -> Iterator[Any]:
    """The largest parts that are no fraction of polynomials; of a power the one that others repeat."""
    if expression.is_Add or expression.is_Mul or (expression.is_Pow and expression.exp.is_Integer):
        for arg in expression.args:
            yield from _parts(arg)
    elif expression.is_Pow:
        yield _once(expression)[0]
    elif not expression.is_Atom:
        yield expression


def _once(power: Any) -> tuple[Any, int]:
    """`x^(3/2)` as the third power of `sqrt(x)`, and `2^(-n)` as `2^n` to -1."""
    base, exponent = power.args
    if exponent.is_Rational:
        return sympy.Pow(base, sympy.Rational(1, exponent.q)), int(exponent.p)
    falls = exponent.is_Mul and exponent.could_extract_minus_sign()
    return (sympy.Pow(base, -exponent), -1) if falls else (power, 1)


def _letter(part: Any, name: str) -> Any:
    """A letter that is known to be what a part is known to be."""
    known = {"integer": part.is_integer, "positive": part.is_positive, "nonnegative": part.is_nonnegative}
    return sympy.Dummy(name, **{assumption: True for assumption, sure in known.items() if sure})


def _with_letters(expression: Any, letters: Mapping[Any, Any]) -> Any:
    """The expression with letters for its parts, and `x` as a square beside `sqrt(x)`."""
    roots = [part for part in letters if part.is_Pow and part.base.is_Symbol and part.exp.is_Rational]
    known = {**letters, **{root.base: letters[root] ** root.exp.q for root in roots}}

    def read(part: Any) -> Any:
        if part in known or part.is_Atom:
            return known.get(part, part)
        if part.is_Pow and not part.exp.is_Integer:
            base, times = _once(part)
            return known[base] ** times
        return part.func(*map(read, part.args))

    return read(expression) if letters else expression


def _put_back(ways: Sequence[Any], parts: Mapping[Any, Any]) -> Iterator[Any]:
    """Each way with the parts in place of their letters; with powers also what SymPy makes of it."""
    for way in ways:
        yield _untouched(way, parts)
        if any(part.is_Pow for letter, part in parts.items() if way.has(letter)):
            yield way.xreplace(parts)


def _untouched(expression: Any, parts: Mapping[Any, Any]) -> Any:
    """The parts in place of their letters, nothing else changed: SymPy would multiply out brackets."""
    if expression in parts:
        return parts[expression]
    if not expression.has(*parts):
        return expression
    args = [_untouched(arg, parts) for arg in expression.args]
    return expression.func(*args, evaluate=expression.is_Pow and expression.base in parts)
