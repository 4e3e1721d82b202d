"""SymPy's own results, brought back as trees: simplified forms, solutions, derivatives, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import sympy

from workings.formula import (
    Call,
    DoesNotEvaluateError,
    Expr,
    Name,
    Num,
    Product,
    evaluate,
    plain,
)
from workings.formula.dimension import dimension_of
from workings.formula.exact import compare
from workings.formula.sympy_reading import from_sympy, to_sympy
from workings.formula.tree import FormulaError, rebuild, walk
from workings.proof.algebra import symbols_of
from workings.proof.polynomial import positive_roots
from workings.proof.probes import PROBES, false_at
from workings.proof.setting import Setting
from workings.units import BYTE, CURRENCY, FLOP, SECOND, UnitError, parse_unit

# A literal's dimension takes part in the algebra as a letter of its own and is put back after.
_STEPPED = (sympy.ceiling, sympy.floor, sympy.Max, sympy.Min)
_UNSAID = (sympy.I, sympy.LambertW)  # what no formula can say
_DIMENSIONS = {"FLOP_": FLOP, "byte_": BYTE, "s_": SECOND, "USD_": CURRENCY}


def simplified(node: Expr, setting: Setting) -> Expr:
    """SymPy's shortest closed form: sums done, fractions cancelled, factored where shorter.

    The formula itself where SymPy's forms take powers of a unit apart, whose exponents are letters.
    """
    expression = _read(node, setting)
    expression = expression.doit() if expression.has(sympy.Sum) else expression
    forms = [sympy.simplify(expression), sympy.factor(expression), sympy.cancel(expression)]
    form = _write(min(forms, key=lambda form: (form.count_ops(), str(form))), setting)
    if not _has_a_unit(form, setting):
        return node
    _check_where_defined(node, form, setting)
    return form


def _has_a_unit(form: Expr, setting: Setting) -> bool:
    """Whether every power and sum of a form is of quantities that can stand there."""
    try:
        dimension_of(form, setting.dimensions())
    except UnitError:
        return False
    return True


def _check_where_defined(node: Expr, form: Expr, setting: Setting) -> None:
    """Raise FormulaError where a closed form differs from the formula at a probe point.

    SymPy subtracts the terms of a sum that runs backwards; here such a sum is empty.
    """
    for point in setting.points(PROBES):
        try:
            same = compare(evaluate(node, point), "=", evaluate(form, point))
        except DoesNotEvaluateError:  # undefined there, or the same to 60 digits
            continue
        if not same:
            raise FormulaError(f"SymPy's closed form {plain(form)} is {false_at(point)}")


def solutions(node: Expr, letter: str, result: str, setting: Setting) -> list[Expr]:
    """Every positive closed form of `letter` from `result = node`."""
    return [_briefest(ways, result, setting) for ways in _roots(node, letter, result, setting)]


def only_solution(node: Expr, letter: str, result: str, setting: Setting) -> Expr | None:
    """The positive closed form of `letter` from `result = node` where there is exactly one."""
    roots = _roots(node, letter, result, setting)
    return _briefest(roots[0], result, setting) if len(roots) == 1 else None


def _briefest(ways: Sequence[Any], result: str, setting: Setting) -> Expr:
    """Of several ways to write a root the one with the shortest text; what SymPy makes of an only one."""
    if len(ways) == 1:
        ways = [_shortest(ways[0])]
    trees, wrong = [], FormulaError("no root to write")
    for way in dict.fromkeys(ways):
        try:
            trees.append(_write(way, setting, first=(result,)))
        except FormulaError as error:
            wrong = error
    if not trees:
        raise wrong
    return min(trees, key=lambda tree: len(plain(tree)))


def _roots(node: Expr, letter: str, result: str, setting: Setting) -> list[list[Any]]:
    """Ways to write each root of `result = node`; NotImplementedError where SymPy has no way to it."""
    known = symbols_of(setting)
    if letter not in known:
        raise FormulaError(f"{letter} is not a letter here, expected one of {', '.join(known)}")
    wanted = sympy.Symbol(result, positive=True)
    unknown = sympy.Symbol(letter, positive=True)
    expression = _read(node, setting).subs(known[letter], unknown)
    try:
        expression = expression.doit()
        roots = positive_roots(expression, wanted, unknown)
        if roots is not None:
            return roots
        return [[root] for root in _solved(expression, wanted, unknown)]
    except NotImplementedError:
        raise  # it says so itself
    except Exception as error:  # SymPy's solvers fail in many ways; none of them is an answer
        raise FormulaError(f"SymPy does not solve this for {letter}") from error


def _solved(expression: Any, wanted: Any, unknown: Any) -> list[Any]:
    """Where an expression is what is wanted, by SymPy's own solvers."""
    if any(part.has(unknown) for part in expression.atoms(*_STEPPED)):
        raise NotImplementedError(f"{unknown} stands in what is rounded or chosen")
    if _in_unlike_places(expression, unknown):
        raise NotImplementedError(f"{unknown} stands in a logarithm or an exponent and beside it")
    gap = expression - wanted
    for root in sympy.solve(gap, unknown, check=False, simplify=False):
        if root.has(*_UNSAID) and root.is_positive is not False:
            return [root]  # SymPy may check such a root for minutes, and there are no words for it
    return list(sympy.solve(gap, unknown, simplify=False))


def _in_unlike_places(expression: Any, unknown: Any) -> bool:
    """Whether a letter stands in a logarithm, an exponent or what is raised to one, and elsewhere too.

    Such equations (`x + log2(x)`) have no solution in roots, powers and logarithms, and SymPy searches
    minutes for one.
    """
    parts = expression.atoms(sympy.log, sympy.Pow)
    within = [part for part in parts if part.has(unknown) and not (part.is_Pow and part.exp.is_Rational)]
    above = {part: part.args[-1].has(unknown) for part in within}
    bases = {part: sympy.Dummy() + (part.base if part.is_Pow and above[part] else 0) for part in within}
    beside = expression.xreplace(bases).has(unknown)
    return bool(within) and (beside or len({p.args[-1] if above[p] else p for p in within}) > 1)


def _shortest(expression: Any) -> Any:
    """What SymPy makes of it; a product of powers of letters and numbers is as short as it gets."""
    if expression.has(*_UNSAID):
        return expression
    factors = [factor.as_base_exp() for factor in sympy.Mul.make_args(expression)]
    plain_product = all(base.is_Atom and power.is_Integer for base, power in factors)
    return expression if plain_product else sympy.simplify(expression)


def derivative(node: Expr, letter: str, setting: Setting) -> Expr:
    """The derivative with respect to a letter, taken as a real number."""
    expression = _read(node, setting).doit()
    return _write(sympy.simplify(sympy.diff(expression, symbols_of(setting)[letter])), setting)


def limit(node: Expr, letter: str, setting: Setting) -> Expr:
    """The limit as a letter grows without bound."""
    expression = _read(node, setting).doit()
    return _write(sympy.limit(expression, symbols_of(setting)[letter], sympy.oo), setting)


def _read(node: Expr, setting: Setting) -> Any:
    units = {name: sympy.Symbol(name, positive=True) for name in _DIMENSIONS}
    return to_sympy(_units_as_letters(node), {**symbols_of(setting), **units})


def _write(expression: Any, setting: Setting, first: Sequence[str] = ()) -> Expr:
    order = [*first, *setting.opaque, *setting.letters]
    return _letters_as_units(from_sympy(expression, [*_DIMENSIONS, *order]))


def _units_as_letters(node: Expr) -> Expr:
    if isinstance(node, Num) and node.unit:
        unit = parse_unit(node.unit)
        names = [name for name, dimension in _DIMENSIONS.items() if dimension == unit.dimension]
        if not names:
            raise FormulaError(f"a literal in {node.unit} cannot be simplified")
        return Product(Num(node.value * unit.scale), (("*", Name(names[0])),))
    return rebuild(node, _units_as_letters)


def _letters_as_units(node: Expr) -> Expr:
    """`4*FLOP*B` back to `4[FLOP]*B`; a unit without a number of its own gets a 1."""
    if isinstance(node, Name) and node.id in _DIMENSIONS:
        return Num(Fraction(1), node.id.removesuffix("_"))
    if isinstance(node, Product):
        return _product_with_units(node)
    return rebuild(node, _letters_as_units)


def _product_with_units(node: Product) -> Expr:
    factors: list[tuple[Literal["*", "/"], Expr]] = [("*", node.first), *node.rest]
    out: list[tuple[Literal["*", "/"], Expr]] = []
    for sign, factor in factors:
        last = out[-1] if out else None
        unit = isinstance(factor, Name) and factor.id in _DIMENSIONS
        if unit and last and last[0] == sign and isinstance(last[1], Num) and not last[1].unit:
            out[-1] = (sign, Num(last[1].value, factor.id.removesuffix("_")))  # type: ignore[union-attr]
        else:
            out.append((sign, _letters_as_units(factor)))
    first, *rest = out
    return Product(first[1], tuple(rest)) if rest else first[1]


def critical_points(node: Expr, letter: str, values: Mapping[str, Fraction]) -> list[Fraction]:
    """Where `node`, a formula of one letter, can change sign: real roots and poles, within 10^-30.

    `values` gives the other letters. max and min are taken branch by branch. Raises FormulaError
    for formulas that are not fractions of polynomials in the letter.
    """
    unknown = sympy.Symbol(letter, real=True)
    known = {n: sympy.Rational(v.numerator, v.denominator) for n, v in values.items()}
    points: set[Fraction] = set()
    for branch in _branches(node):
        expression = sympy.together(to_sympy(branch, {**known, letter: unknown}).doit())
        for part in sympy.fraction(sympy.cancel(expression)):
            if not part.is_polynomial(unknown):
                raise FormulaError(f"cannot be solved for {letter}")
            if part.has(unknown):
                roots = sympy.Poly(part, unknown).real_roots()
                points |= {_fraction(root) for root in roots}
    return sorted(points)


def _fraction(root: Any) -> Fraction:
    return Fraction(int(root.p), int(root.q)) if root.is_Rational else Fraction(str(root.n(60)))


def _branches(node: Expr) -> list[Expr]:
    """Every formula that a formula with max and min can equal."""
    for part in walk(node):
        if isinstance(part, Call) and part.function in ("max", "min"):
            chosen = [_replaced(node, part, arg) for arg in part.args]
            return [branch for one in chosen for branch in _branches(one)]
        if isinstance(part, Call) and part.function in ("ceil", "floor"):
            raise FormulaError(f"cannot be solved through {part.function}")
    return [node]


def _replaced(node: Expr, old: Expr, new: Expr) -> Expr:
    return new if node == old else rebuild(node, lambda part: _replaced(part, old, new))
