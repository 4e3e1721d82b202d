"""The ladder, one function per kind of step: units, then exact probes, then SymPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from workings.formula import (
    Call,
    DoesNotEvaluateError,
    Expr,
    Name,
    Relations,
    Value,
    evaluate,
    holds,
    names_in,
    plain,
    substitute,
)
from workings.formula.dimension import check_relations
from workings.formula.exact import Interval, compare, rational
from workings.proof.child import in_child
from workings.proof.setting import Setting, Values
from workings.proof.verdict import PROVED, REFUTED, SAMPLED, UNDECIDED, Verdict
from workings.units import UnitError

PROBES = 16
ENOUGH = 12


def prove_equality(left: Expr, right: Expr, setting: Setting) -> Verdict:
    """left = right for all values the setting allows."""
    wrong = _units(Relations(left, (("=", right),)), setting)
    points, counterexample = _probe(setting, lambda v: _equal_at(left, right, v))
    if wrong or counterexample:
        return wrong or Verdict(REFUTED, counterexample, points)
    how = _difference_is_zero(left, right, setting)
    return _proved_or_sampled(how, points)


def prove_comparison(left: Expr, relation: str, right: Expr, setting: Setting) -> Verdict:
    """left < right (or <=, >, >=) for all values the setting allows."""
    wrong = _units(Relations(left, ((relation, right),)), setting)
    points, counterexample = _probe(setting, lambda v: _compared_at(left, relation, right, v))
    if wrong or counterexample:
        return wrong or Verdict(REFUTED, counterexample, points)
    big, small = (right, left) if relation in ("<", "<=") else (left, right)
    wanted = ("+",) if relation in ("<", ">") else ("+", "0+", "0")
    for unfolded in (False, True):
        algebra, read = _algebra(setting, unfolded)
        if algebra.sign(read(big) - read(small)) in wanted:
            return Verdict(PROVED, "the difference factors into parts of known sign", points)
    return _proved_or_sampled(None, points)


def prove_equivalence(before: Relations, after: Relations, setting: Setting) -> Verdict:
    """before <=> after: true at the same points, and the two gaps have one sign everywhere."""
    for relations in (before, after):
        if wrong := _units(relations, setting):
            return wrong
    letter = _solved_letter(after)
    points, counterexample = _probe(setting, lambda v: _same_truth(before, after, v, letter, setting))
    if counterexample:
        return Verdict(REFUTED, counterexample, points)
    for unfolded in (False, True):
        algebra, read = _algebra(setting, unfolded)
        if _gaps_share_sign(before, after, algebra, read):
            return Verdict(PROVED, "the quotient of the two gaps is positive", points)
    return _proved_or_sampled(None, points)


def prove_limit(left: Expr, right: Expr, towards: Sequence[str], setting: Setting) -> Verdict:
    """left ≈ right as the named letters grow: the quotient's limit is 1."""
    import sympy  # noqa: PLC0415 - loaded only when proving

    if wrong := _units(Relations(left, (("≈", right),)), setting):
        return wrong
    algebra, read = _algebra(setting, True)
    quotient = sympy.cancel(sympy.together((read(left) / read(right)).doit()))
    for name in towards:
        quotient = sympy.limit(quotient, algebra.symbols[name], sympy.oo)
    where = ", ".join(f"{name} grows" for name in towards)
    if quotient == 1:
        return Verdict(PROVED, f"the quotient's limit is 1 as {where}")
    return Verdict(REFUTED, f"the quotient tends to {quotient}, not 1, as {where}")


def prove_approximation(left: Expr, right: Expr, setting: Setting) -> Verdict:
    """A bare ≈ is never proved: its largest error on the probes is stated."""
    if wrong := _units(Relations(left, (("≈", right),)), setting):
        return wrong
    worst = Fraction(0)
    points = setting.points(PROBES)
    for point in points:
        exact, about = rational(evaluate(left, point)), rational(evaluate(right, point))
        if exact:
            worst = max(worst, abs(about / exact - 1))
    return Verdict(SAMPLED, f"largest error on the probes {float(worst):.3g}", len(points))


def prove_minimum(function: Expr, letter: str, at: Expr, value: Expr, setting: Setting) -> Verdict:
    """`value` is the least of `function` over letter > 0, and is reached at `at`."""
    reached = prove_equality(substitute(function, {letter: at}), value, setting)
    if reached.word == REFUTED:
        return reached
    points, counterexample = _probe(setting, lambda v: _no_lower(function, letter, value, v))
    if counterexample:
        return Verdict(REFUTED, counterexample, points)
    algebra, read = _algebra(setting, True)
    if reached.word == PROVED and _is_global(function, letter, at, algebra, read):
        return Verdict(PROVED, f"reached there, and nowhere lower for {letter} > 0", points)
    return _proved_or_sampled(None, points)


# --- units and probes -------------------------------------------------------------------------


def _units(relations: Relations, setting: Setting) -> Verdict | None:
    try:
        check_relations(relations, setting.dimensions())
    except UnitError as error:
        return Verdict(REFUTED, f"units: {error}")
    return None


def _probe(setting: Setting, check: Callable[[Values], bool | None]) -> tuple[int, str]:
    """How many points agreed, and the first that did not (None: undefined there, not counted)."""
    agreed = 0
    for point in setting.points(4 * PROBES):
        try:
            answer = check(point)
        except DoesNotEvaluateError:
            continue
        if answer is False:
            at = ", ".join(f"{name} = {_text(value)}" for name, value in point.items())
            return agreed, f"false at {at}"
        agreed += answer is True
        if agreed == PROBES:
            break
    return agreed, ""


def _text(value: Value) -> str:
    return str(value) if isinstance(value, Fraction) else f"{float(rational(value)):.12g}"


def _equal_at(left: Expr, right: Expr, values: Values) -> bool:
    a, b = _defined(left, values), _defined(right, values)
    if a is None or b is None:
        if a is b:
            raise DoesNotEvaluateError("undefined on both sides")
        return False
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a == b
    try:
        compare(a, "=", b)
    except DoesNotEvaluateError:
        return True  # 60 digits do not tell them apart
    return False


def _defined(node: Expr, values: Values) -> Value | None:
    """The value, or None where a denominator vanishes; other failures are no verdict at all."""
    try:
        return evaluate(node, values)
    except DoesNotEvaluateError as error:
        if "division by zero" in str(error):
            return None
        raise


def _compared_at(left: Expr, relation: str, right: Expr, values: Values) -> bool:
    return compare(evaluate(left, values), relation, evaluate(right, values))


def _same_truth(
    before: Relations, after: Relations, values: Values, letter: str | None, setting: Setting
) -> bool:
    """Same truth here, and just beside the boundary that the solved form names."""
    if holds(before, values) != holds(after, values):
        return False
    if letter is None:
        return True
    boundary = evaluate(after.rest[0][1], values)
    for nudge in (Fraction(999, 1000), Fraction(1), Fraction(1001, 1000)):
        if rational(boundary) <= 0 or (nudge == 1 and isinstance(boundary, Interval)):
            continue
        beside = setting.complete({**values, letter: rational(boundary) * nudge})
        if holds(before, beside) != holds(after, beside):
            return False
    return True


def _solved_letter(relations: Relations) -> str | None:
    side = relations.first
    if isinstance(side, Name) and side.id not in names_in(relations.rest[0][1]):
        return side.id
    return None


def _no_lower(function: Expr, letter: str, value: Expr, values: Values) -> bool:
    """The claimed least value is not undercut on a spread of values of the letter."""
    least = evaluate(value, values)
    trial = dict(values)
    for factor in (Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(90)):
        trial[letter] = rational(values[letter]) * factor
        if rational(evaluate(function, trial)) < rational(least) * (1 - Fraction(1, 10**50)):
            return False
    return True


# --- SymPy ------------------------------------------------------------------------------------


def _algebra(setting: Setting, unfolded: bool) -> tuple[Any, Callable[[Expr], Any]]:
    """SymPy's reading of the setting; `unfolded` replaces opaque results by their formula once."""
    from workings.proof.algebra import Algebra  # noqa: PLC0415 - loads SymPy

    algebra = Algebra(setting)
    if not unfolded:
        return algebra, algebra.read
    inside = {name: opaque.unfold() for name, opaque in setting.opaque.items()}
    return algebra, lambda node: algebra.read(substitute(node, inside))


def _difference_is_zero(left: Expr, right: Expr, setting: Setting) -> str | None:
    for unfolded in (False, True) if setting.opaque else (False,):
        algebra, read = _algebra(setting, unfolded)
        difference = read(left) - read(right)
        if in_child(algebra.is_zero, difference, quick=_quick(difference)):
            return "SymPy: the difference is 0" + (" once results are put in" if unfolded else "")
    return None


def _quick(expression: Any) -> bool:
    """Whether an expression is small enough to simplify here instead of in a child process."""
    return bool(expression.count_ops() < 200)


def _gaps_share_sign(
    before: Relations, after: Relations, algebra: Any, read: Callable[[Expr], Any]
) -> bool:
    """Each condition left over before has a partner after whose gap is a positive multiple."""
    firsts = _open_gaps(before, algebra, read)
    seconds = _open_gaps(after, algebra, read)
    if len(firsts) != len(seconds):
        return False
    pairs = zip(firsts, seconds, strict=True)
    return all(a[0] == b[0] and _one_sign(a[1] / b[1], a[0], algebra) for a, b in pairs)


def _one_sign(quotient: Any, kind: str, algebra: Any) -> bool:
    return algebra.sign(quotient) in (("+",) if kind != "=" else ("+", "-"))


def _open_gaps(
    relations: Relations, algebra: Any, read: Callable[[Expr], Any]
) -> list[tuple[str, Any]]:
    """(strict or not, big − small) for every condition that is not always true."""
    gaps: list[tuple[str, Any]] = []
    left = relations.first
    for relation, right in relations.rest:
        big, small = (right, left) if relation in ("<", "<=") else (left, right)
        kind = {"<": ">", ">": ">", "<=": ">=", ">=": ">=", "=": "="}[relation]
        gaps += [(kind, read(b) - read(s)) for b in _parts(big, "min") for s in _parts(small, "max")]
        left = right
    if len(gaps) == 1:
        return gaps
    return [(kind, gap) for kind, gap in gaps if algebra.sign(gap) != "+"]


def _parts(node: Expr, function: str) -> tuple[Expr, ...]:
    """Being above a max is being above each of its arguments."""
    return node.args if isinstance(node, Call) and node.function == function else (node,)


def _is_global(
    function: Expr, letter: str, at: Expr, algebra: Any, read: Callable[[Expr], Any]
) -> bool:
    """Rising and falling branches of a max that meet, or f(r X*) - f(X*) never negative."""
    import sympy  # noqa: PLC0415 - loaded only when proving

    symbol, least = algebra.symbols[letter], read(at)
    if isinstance(function, Call) and function.function == "max" and len(function.args) == 2:
        one, other = (read(arg) for arg in function.args)
        meet = algebra.is_zero((one - other).subs(symbol, least))
        slopes = {algebra.sign(sympy.diff(branch, symbol)) for branch in (one, other)}
        return meet and slopes == {"+", "-"}
    ratio = sympy.Symbol("ratio", positive=True)
    f = read(function)
    rise = f.subs(symbol, ratio * least) - f.subs(symbol, least)
    return algebra.sign(sympy.factor(algebra.rooted(rise))) in ("+", "0+", "0")


def _proved_or_sampled(how: str | None, points: int) -> Verdict:
    if how is not None:
        return Verdict(PROVED, how, points)
    if points >= ENOUGH:
        return Verdict(SAMPLED, f"agrees at {points} points; SymPy does not decide it", points)
    return Verdict(UNDECIDED, f"SymPy does not decide it and only {points} points apply", points)
