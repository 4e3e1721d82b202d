"""What SymPy is asked: is this zero, what sign has it, what is its limit.

Conditions enter as substitutions (`M > A/2` as M = A/2 + h with h > 0; `p divides m` as m = p q),
roots by squaring the letters under them, and signs by writing a polynomial in letters that are
known to be positive and looking at its coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from workings.formula import Expr, Name, Relations, names_in
from workings.formula.sympy_reading import to_sympy
from workings.proof.setting import Divides, Setting
from workings.vocabulary.concept import Domain

_ASSUMPTIONS: dict[Domain, dict[str, bool]] = {
    Domain.POSITIVE_INTEGER: {"integer": True, "positive": True},
    Domain.POSITIVE: {"positive": True},
    Domain.NONNEGATIVE: {"nonnegative": True},
    Domain.WHOLE: {"integer": True, "nonnegative": True},
    Domain.FLAG: {"integer": True, "nonnegative": True},
    Domain.SHARE: {"positive": True},
    Domain.PART: {"nonnegative": True},
}


def symbols_of(setting: Setting) -> dict[str, Any]:
    """A SymPy symbol for every letter with its domain's assumptions; opaque results are ≥ 0."""
    known = {
        name: sympy.Symbol(name, **_ASSUMPTIONS[letter.domain])
        for name, letter in setting.letters.items()
    }
    return known | {name: sympy.Symbol(name, nonnegative=True) for name in setting.opaque}


class Algebra:
    """SymPy readings of one setting's formulas, with its conditions put in."""

    def __init__(self, setting: Setting) -> None:
        self.symbols = symbols_of(setting)
        self.conditions = list(_substitutions(setting, self.symbols))

    def read(self, node: Expr) -> Any:
        """A tree as SymPy."""
        return to_sympy(node, self.symbols)

    def under_conditions(self, expression: Any) -> Any:
        """The expression with every condition substituted, in order."""
        for symbol, replacement in self.conditions:
            expression = expression.subs(symbol, replacement)
        return expression

    def is_zero(self, expression: Any) -> bool:
        """Whether an expression is identically zero: cheap ways first."""
        if _rationally_zero(expression):
            return True
        done = expression.doit() if expression.has(sympy.Sum) else expression
        under = self.under_conditions(done)
        if _rationally_zero(done) or _rationally_zero(self.rooted(under)):
            return True
        if _differs_somewhere(under):
            return False
        if done.has(sympy.Max, sympy.Min):
            done = done.rewrite(sympy.Abs)
        return bool(sympy.simplify(self.under_conditions(done)) == 0)

    def sign(self, expression: Any) -> str | None:
        """`+`, `-`, `0+` (never negative), `0-`, `0`, or None where coefficients do not tell."""
        if expression.has(sympy.Sum):
            expression = expression.doit()
        expression = _with_what_rounding_adds(self.rooted(self.under_conditions(expression)))
        if expression.has(sympy.Max, sympy.Min):
            return None
        numbers = any(p.base.is_number for p in expression.atoms(sympy.Pow) if p.exp.is_Rational)
        whole = sympy.together(expression)  # √2 is a number too, once its field is adjoined
        above, below = sympy.fraction(sympy.cancel(whole, **({"extension": True} if numbers else {})))
        return _times(_sign_of_factors(above), _sign_of_factors(below))

    def rooted(self, expression: Any) -> Any:
        """The expression with letters under roots replaced by squares, so that roots vanish."""
        roots = [p for p in expression.atoms(sympy.Pow) if p.exp.is_Rational and p.exp.q == 2]
        under = sorted({s for p in roots for s in p.base.free_symbols}, key=lambda s: s.name)
        squares = {s: sympy.Symbol(f"{s.name}_root", positive=True) ** 2 for s in under}
        return expression.subs(squares) if squares else expression


def _substitutions(setting: Setting, symbols: dict[str, Any]) -> Iterable[tuple[Any, Any]]:
    """`x > e` as (x, e + h) and `p divides m` as (m, p q), with fresh positive letters."""
    for number, given in enumerate(setting.given):
        if isinstance(given, Divides):
            if isinstance(given.multiple, Name):
                quotient = sympy.Symbol(f"q_{number}", integer=True, positive=True)
                yield symbols[given.multiple.id], to_sympy(given.divisor, symbols) * quotient
            continue
        solved = _solved_for_a_letter(given)
        if solved is None:
            continue
        letter, relation, other = solved
        sure = {"positive": True} if relation == ">" else {"nonnegative": True}
        gap = sympy.Symbol(f"h_{number}", **sure)
        value = to_sympy(other, symbols)
        if relation == "=":
            yield symbols[letter], value
        else:
            yield symbols[letter], value + gap


def _solved_for_a_letter(given: Relations) -> tuple[str, str, Expr] | None:
    """A condition as `letter > expression`, from either side."""
    relation, right = given.rest[0]
    mirror = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
    for side, other, way in ((given.first, right, relation), (right, given.first, mirror[relation])):
        if isinstance(side, Name) and side.id not in names_in(other) and way in (">", ">=", "="):
            return side.id, way, other
    return None


def _with_what_rounding_adds(expression: Any) -> Any:
    """`ceil(x)` as x + h and `floor(x)` as x - h, with h ≥ 0: what their sign may rest on."""
    calls = sorted(expression.atoms(sympy.ceiling, sympy.floor), key=str)
    for number, call in enumerate(calls):
        gap = sympy.Symbol(f"rounded_{number}", nonnegative=True)
        up = isinstance(call, sympy.ceiling)
        expression = expression.subs(call, call.args[0] + (gap if up else -gap))
    return expression


def _rationally_zero(expression: Any) -> bool:
    if expression == 0:
        return True
    if expression.has(sympy.Sum, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling):
        return False
    above, _ = sympy.fraction(sympy.together(expression))
    return bool(sympy.expand(above) == 0)


def _differs_somewhere(expression: Any) -> bool:
    """Whether an expression is another number than 0 where each of its letters is a prime.

    SymPy searches long for a way to make 0 of what is not: results that are letters of their own are
    asked about before their formulas are put in. A prime is a value that every letter may have.
    """
    if expression.has(sympy.Sum) or any(power.exp.free_symbols for power in expression.atoms(sympy.Pow)):
        return False  # either may take long to write out
    letters = sorted(expression.free_symbols, key=lambda s: s.name)
    value = expression.xreplace({s: sympy.Integer(sympy.prime(n)) for n, s in enumerate(letters, 2)})
    return bool(value.is_Rational and value != 0)


def _sign_of_factors(expression: Any) -> str | None:
    """The sign of a product from the signs of its factors; even powers are never negative."""
    try:
        constant, factors = sympy.factor_list(expression)
    except sympy.PolynomialError:  # not a polynomial in anything, such as 2^N
        return None
    sign: str | None = "+" if constant > 0 else "-" if constant < 0 else "0"
    for factor, power in factors:
        part = _sign_of_polynomial(factor)
        if power % 2 == 0:
            part = "+" if part in ("+", "-") else "0+"
        sign = _times(sign, part)
    return sign


def _sign_of_polynomial(expression: Any) -> str | None:
    """All coefficients of one sign, once whole numbers n ≥ 1 are written 1 + (n - 1)."""
    shifts = {
        s: 1 + sympy.Symbol(f"{s.name}_less_1", nonnegative=True)
        for s in expression.free_symbols
        if s.is_integer and s.is_positive
    }
    shifted = sympy.expand(expression.subs(shifts))
    letters = sorted(shifted.free_symbols, key=lambda s: s.name)
    if not letters:
        return "+" if shifted > 0 else "-" if shifted < 0 else "0"
    if not all(s.is_nonnegative for s in letters) or not shifted.is_polynomial(*letters):
        return None
    terms = sympy.Poly(shifted, *letters).terms()
    strict = any(
        all(s.is_positive for s, power in zip(letters, powers, strict=True) if power)
        for powers, _ in terms
    )
    if all(c > 0 for _, c in terms):
        return "+" if strict else "0+"
    if all(c < 0 for _, c in terms):
        return "-" if strict else "0-"
    return None


def _times(a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return None
    if "0" in (a, b):
        return "0"
    sign = "+" if a[-1] == b[-1] else "-"
    return f"0{sign}" if "0" in a + b else sign
