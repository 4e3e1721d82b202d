"""The SymPy reading, both ways: tree to SymPy, and SymPy's results back to a tree.

Symbols come only from a given table (so that assumptions agree), numbers only as Rational, and
text never goes through sympify. Results come back in the order of the letters, the way a person
would write them: constants first, then letters in vocabulary order, divisions as divisions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import sympy

from workings.formula.interval import MAX_BITS
from workings.formula.tree import (
    Add,
    Call,
    Expr,
    FormulaError,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Series,
)
from workings.units import parse_unit


def to_sympy(node: Expr, symbols: Mapping[str, Any]) -> Any:
    """Read a tree as a SymPy expression in base units; every free letter must be in `symbols`."""
    match node:
        case Num(value, unit):
            value = value * parse_unit(unit).scale if unit else value
            return sympy.Rational(value.numerator, value.denominator)
        case Name(name):
            return symbols[name]
        case Negative(operand):
            return -to_sympy(operand, symbols)
        case Add(first, rest):
            terms = [to_sympy(first, symbols)]
            for sign, term in rest:
                part = to_sympy(term, symbols)
                terms.append(part if sign == "+" else -part)
            return sympy.Add(*terms)
        case Product(first, rest):
            factors = [to_sympy(first, symbols)]
            for operation, factor in rest:
                part = to_sympy(factor, symbols)
                factors.append(part if operation == "*" else sympy.Pow(part, -1))
            return sympy.Mul(*factors)
        case Power(base, exponent):
            return _power(to_sympy(base, symbols), to_sympy(exponent, symbols))
        case Call(function, args):
            return _FUNCTIONS[function](*(to_sympy(arg, symbols) for arg in args))
        case Series(body, index, lower, upper):
            # If i started at 0 and SymPy believed it positive, it would take min(i, 1) for 1.
            positive = isinstance(lower, Num) and lower.value >= 1
            counter = sympy.Symbol(index, integer=True, positive=positive or None)
            inside = {**symbols, index: counter}
            limits = (counter, to_sympy(lower, symbols), to_sympy(upper, symbols))
            return sympy.Sum(to_sympy(body, inside), limits)


def _power(base: Any, exponent: Any) -> Any:
    """A power, unless SymPy would write out more digits than the exact reading allows."""
    if exponent.is_number:
        bits = sympy.log(sympy.Abs(base), 2) if base.is_number and base != 0 else sympy.Integer(1)
        if not abs((exponent * bits).evalf(9)) <= MAX_BITS:
            raise FormulaError(f"a power of more than {MAX_BITS} bits")
    return sympy.Pow(base, exponent)


_FUNCTIONS: dict[str, Any] = {
    "max": sympy.Max,
    "min": sympy.Min,
    "ceil": sympy.ceiling,
    "floor": sympy.floor,
    "sqrt": sympy.sqrt,
    "log2": lambda x: sympy.log(x) / sympy.log(2),
}


def from_sympy(expression: Any, order: Sequence[str]) -> Expr:
    """Write a SymPy result as a tree. Raises FormulaError on what formulas cannot say."""
    if expression.has(sympy.log):
        expression = expression.replace(sympy.log, lambda x: (1 if x == 2 else _LOG2(x)) * _LN2)
    if expression.has(_LN2):  # in each term of a sum, and beside it
        expression = sympy.factor_terms(expression)
    return _Reader(order).read(expression)


# SymPy has only the natural logarithm: log(x) is log2(x)*ln(2), and every ln(2) must cancel.
_LOG2 = sympy.Function("log2")
_LN2 = sympy.Dummy("ln(2)", positive=True)


class _Reader:
    """One conversion, with the order in which letters are written."""

    def __init__(self, order: Sequence[str]) -> None:
        self.rank = {name: i for i, name in enumerate(order)}

    def read(self, e: Any) -> Expr:
        if e.is_Rational:
            return _number(Fraction(int(e.p), int(e.q)))
        if e == _LN2:
            raise FormulaError("SymPy's answer contains ln(2), which formulas cannot say")
        if e.is_Symbol:
            return Name(e.name)
        if e.is_Add:
            return self.add(e)
        if e.is_Mul:
            return self.product(e)
        if e.is_Pow:
            return self.power(e)
        if isinstance(e, sympy.Sum) and len(e.limits) == 1:
            index, low, high = e.limits[0]
            return Series(self.read(e.function), index.name, self.read(low), self.read(high))
        for function, kind in _CALLS.items():
            if isinstance(e, kind):
                args = sorted(e.args, key=self.key)
                return Call(function, tuple(self.read(arg) for arg in args))
        raise FormulaError(f"SymPy's answer contains {type(e).__name__}, which formulas cannot say")

    def key(self, e: Any) -> tuple[Any, ...]:
        """Letters in the given order; higher powers first; then SymPy's own stable order."""
        letters = sorted(self.rank.get(s.name, len(self.rank)) for s in e.free_symbols)
        return (not letters, letters[:1], -len(letters), letters, sympy.default_sort_key(e))

    def add(self, e: Any) -> Expr:
        terms = sorted(e.args, key=self.key)
        positive = [t for t in terms if not t.could_extract_minus_sign()]
        negative = [t for t in terms if t.could_extract_minus_sign()]
        ordered = positive + negative
        first = self.read(ordered[0])
        rest: list[tuple[Literal["+", "-"], Expr]] = []
        for term in ordered[1:]:
            minus = term.could_extract_minus_sign()
            rest.append(("-", self.read(-term)) if minus else ("+", self.read(term)))
        return Add(first, tuple(rest))

    def product(self, e: Any) -> Expr:
        above, below = sympy.fraction(e)
        above, below = _positive_above(above, below)
        if below == 1:
            if above.as_coeff_Mul()[0].is_negative:
                return Negative(self.factors(-above))
            return self.factors(above)
        if above.as_coeff_Mul()[0].is_negative:
            return Negative(self.read(-above / below))
        top = self.factors(above)
        factors = top if isinstance(top, Product) else Product(top, ())
        return Product(factors.first, (*factors.rest, ("/", self.factors(below))))

    def factors(self, e: Any) -> Expr:
        if not e.is_Mul:
            return self.read(e)
        number, rest = _one_root(e).as_coeff_Mul()
        parts = sorted(sympy.Mul.make_args(rest), key=lambda p: (p.is_Add, self.key(p)))
        trees = [self.read(part) for part in parts]
        if number != 1:
            trees = [self.read(number), *trees]
        if len(trees) == 1:
            return trees[0]
        return Product(trees[0], tuple(("*", tree) for tree in trees[1:]))

    def power(self, e: Any) -> Expr:
        base, exponent = e.as_base_exp()
        if exponent.is_Rational and exponent < 0:
            return Product(Num(Fraction(1)), (("/", self.read(sympy.Pow(base, -exponent))),))
        if exponent == sympy.Rational(1, 2):
            return Call("sqrt", (self.read(base),))
        if exponent.is_Rational and exponent.q == 2:
            return Power(Call("sqrt", (self.read(base),)), _number(Fraction(int(exponent.p))))
        return Power(self.read(base), self.read(exponent))


def _positive_above(above: Any, below: Any) -> tuple[Any, Any]:
    """`-F/(Y - W)` as `F/(W - Y)`: the sign goes into the first difference below."""
    if not (above.as_coeff_Mul()[0].is_negative or _all_negative(above)):
        return above, below
    parts = list(sympy.Mul.make_args(below))
    for place, part in enumerate(parts):
        if part.is_Add:
            flipped = [-part if i == place else other for i, other in enumerate(parts)]
            return -above, sympy.Mul(*flipped)
    return above, below


def _all_negative(e: Any) -> bool:
    """Whether a sum has a minus in front of every term."""
    return e.is_Add and all(term.as_coeff_Mul()[0].is_negative for term in e.args)


def _one_root(e: Any) -> Any:
    """`sqrt(L)*sqrt(e)` as one root, which SymPy takes apart for positive letters."""
    half = sympy.Rational(1, 2)
    roots = [p for p in sympy.Mul.make_args(e) if p.is_Pow and p.exp == half]
    if len(roots) < 2:
        return e
    others = [p for p in sympy.Mul.make_args(e) if p not in roots]
    under = sympy.Mul(*(p.base for p in roots), evaluate=False)
    return sympy.Mul(*others, sympy.Pow(under, half, evaluate=False), evaluate=False)


_CALLS: dict[str, Any] = {
    "max": sympy.Max,
    "min": sympy.Min,
    "ceil": sympy.ceiling,
    "floor": sympy.floor,
    "log2": _LOG2,
}


def _number(value: Fraction) -> Expr:
    if value < 0:
        return Negative(_number(-value))
    whole = Num(Fraction(value.numerator))
    if value.denominator == 1:
        return whole
    return Product(whole, (("/", Num(Fraction(value.denominator))),))
