"""The ladder, one function per kind of step: units, then exact probes, then SymPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor, inf
from typing import Any, TypeVar

from workings.formula import (
    Call,
    DoesNotEvaluateError,
    Expr,
    Formula,
    Name,
    Power,
    Relations,
    Series,
    Value,
    evaluate,
    holds,
    names_in,
    substitute,
)
from workings.formula.dimension import check_relations
from workings.formula.exact import compare, rational
from workings.formula.tree import children, walk
from workings.proof.child import in_child
from workings.proof.setting import Setting, Values, given_holds
from workings.proof.verdict import PROVED, REFUTED, SAMPLED, UNDECIDED, Verdict
from workings.units import UnitError
from workings.vocabulary import Domain

R = TypeVar("R")
PROBES = 16
ENOUGH = 12


def prove_equality(left: Expr, right: Expr, setting: Setting) -> Verdict:
    """left = right for all values the setting allows."""
    wrong = _units(Relations(left, (("=", right),)), setting)
    points, counterexample = _probe(setting, lambda v: None if _equal_at(left, right, v) else v)
    if wrong or counterexample:
        return wrong or Verdict(REFUTED, counterexample, points)
    how = _difference_is_zero(left, right, setting)
    return _proved_or_sampled(how, points)


def prove_comparison(left: Expr, relation: str, right: Expr, setting: Setting) -> Verdict:
    """left < right (or <=, >, >=) for all values the setting allows."""
    wrong = _units(Relations(left, ((relation, right),)), setting)
    points, counterexample = _probe(
        setting, lambda v: None if _compared_at(left, relation, right, v) else v
    )
    if wrong or counterexample:
        return wrong or Verdict(REFUTED, counterexample, points)
    big, small = (right, left) if relation in ("<", "<=") else (left, right)
    wanted = ("+",) if relation in ("<", ">") else ("+", "0+", "0")
    for reading in _readings(setting):
        sign = reading.ask(lambda read: read.algebra.sign(read(big) - read(small)), big, small)
        if sign in wanted:
            return Verdict(PROVED, "the difference factors into parts of known sign", points)
    return _proved_or_sampled(None, points)


def prove_equivalence(before: Relations, after: Relations, setting: Setting) -> Verdict:
    """before <=> after: true at the same points, and the two gaps have one sign everywhere."""
    for relations in (before, after):
        if wrong := _units(relations, setting):
            return wrong
    letter = _solved_letter(after)
    points, counterexample = _probe(setting, lambda v: _unlike(before, after, v, letter, setting))
    if counterexample:
        return Verdict(REFUTED, counterexample, points)
    sides = [side for one in (before, after) for side in children(one)]
    for reading in _readings(setting):
        if reading.ask(lambda read: _gaps_share_sign(before, after, read), *sides):
            return Verdict(PROVED, "the quotient of the two gaps is positive", points)
    apart = _apart_at_a_boundary(before, after, setting)
    if apart is not None:
        return Verdict(REFUTED, _false_at(apart), points)
    return _proved_or_sampled(None, points)


def prove_limit(left: Expr, right: Expr, towards: Sequence[str], setting: Setting) -> Verdict:
    """left ≈ right as the named letters grow: the quotient's limit is 1."""
    if wrong := _units(Relations(left, (("≈", right),)), setting) or _letters(towards, setting):
        return wrong
    reading = _readings(setting)[-1]
    quotient = reading.ask(lambda read: _limit(left, right, towards, read), left, right)
    where = ", ".join(f"{name} grows" for name in towards)
    if quotient is None:
        return Verdict(UNDECIDED, f"SymPy does not find the quotient's limit as {where}")
    if quotient == "1":
        return Verdict(PROVED, f"the quotient's limit is 1 as {where}")
    return Verdict(REFUTED, f"the quotient tends to {quotient}, not 1, as {where}")


def prove_approximation(left: Expr, right: Expr, setting: Setting) -> Verdict:
    """A bare ≈ is never proved: its largest error on the probes is stated."""
    if wrong := _units(Relations(left, (("≈", right),)), setting):
        return wrong
    errors: list[float] = []
    for point in setting.points(4 * PROBES):
        try:
            exact, about = rational(evaluate(left, point)), rational(evaluate(right, point))
        except DoesNotEvaluateError:
            continue
        errors.append(float(abs(about / exact - 1)) if exact else inf if about else 0.0)
        if len(errors) == PROBES:
            break
    if not errors:
        return Verdict(UNDECIDED, "no probe point applies")
    return Verdict(SAMPLED, f"largest error on the probes {max(errors):.3g}", len(errors))


def prove_minimum(function: Expr, letter: str, at: Expr, value: Expr, setting: Setting) -> Verdict:
    """`value` is the least of `function` over letter > 0, and is reached at `at`."""
    if wrong := _letters((letter,), setting):
        return wrong
    # A used result may depend on the letter, so it takes part as its formula.
    inside = {name: opaque.unfold() for name, opaque in setting.opaque.items()}
    function, at, value = (substitute(node, inside) for node in (function, at, value))
    if letter in names_in(at) or letter in names_in(value):
        return Verdict(REFUTED, f"the place or the value of the minimum still contains {letter}")
    reached = prove_equality(substitute(function, {letter: at}), value, setting)
    if reached.word == REFUTED:
        return reached
    points, counterexample = _probe(setting, lambda v: _lower(function, letter, value, v))
    if counterexample:
        return Verdict(REFUTED, counterexample, points)
    reading = _readings(setting)[0]
    if reached.word == PROVED and reading.ask(
        lambda read: _is_global(function, letter, at, read), function, at
    ):
        return Verdict(PROVED, f"reached there, and nowhere lower for {letter} > 0", points)
    return _proved_or_sampled(None, points)


# --- units and probes -------------------------------------------------------------------------


def _units(relations: Relations, setting: Setting) -> Verdict | None:
    try:
        check_relations(relations, setting.dimensions())
    except UnitError as error:
        return Verdict(REFUTED, f"units: {error}")
    return None


def _letters(names: Sequence[str], setting: Setting) -> Verdict | None:
    unknown = [name for name in names if name not in setting.letters]
    return Verdict(REFUTED, f"{unknown[0]} is not a letter here") if unknown else None


def _probe(setting: Setting, check: Callable[[Values], Values | None]) -> tuple[int, str]:
    """How many points agreed, and the first counterexample that `check` finds at or near one.

    Points where something is undefined are not counted.
    """
    agreed = 0
    for point in setting.points(4 * PROBES):
        try:
            counterexample = check(point)
        except DoesNotEvaluateError:
            continue
        if counterexample is not None:
            return agreed, _false_at(counterexample)
        agreed += 1
        if agreed == PROBES:
            break
    return agreed, ""


def _false_at(point: Values) -> str:
    return "false at " + ", ".join(f"{name} = {_text(value)}" for name, value in point.items())


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


def _unlike(
    before: Relations, after: Relations, values: Values, letter: str | None, setting: Setting
) -> Values | None:
    """Where one condition holds and the other does not: here or beside the solved boundary."""
    if holds(before, values) != holds(after, values):
        return values
    if letter is None or letter not in setting.letters:
        return None
    for near in _beside(evaluate(after.rest[0][1], values), setting.letters[letter].domain):
        beside = setting.complete({**values, letter: near})
        if not all(given_holds(given, beside) for given in setting.given):
            continue
        if holds(before, beside) != holds(after, beside):
            return beside
    return None


def _beside(boundary: Value, domain: Domain) -> list[Fraction]:
    """Values of the letter on both sides of a boundary, and on it where it is rational."""
    middle = rational(boundary)
    if domain is Domain.POSITIVE_INTEGER:
        near = [Fraction(floor(middle) + step) for step in (-1, 0, 1, 2)]
    else:
        near = [middle * Fraction(n, 1000) for n in (999, 1000, 1001)]
        near = [v for v in near if v != middle or isinstance(boundary, Fraction)]
    return [v for v in near if v > 0]


def _apart_at_a_boundary(
    before: Relations, after: Relations, setting: Setting
) -> Values | None:
    """A point at the boundary of one condition, found by halving, where the other differs.

    Asked only of what SymPy does not prove: points chosen blindly rarely lie near a boundary.
    """
    letters = sorted(setting.letters, key=lambda n: setting.letters[n].domain.name, reverse=True)
    for point in setting.points(PROBES):
        for name in letters:
            for one, other in ((before, after), (after, before)):
                ends = _halved(_ordered(one), name, point, setting)
                if ends is None:
                    continue
                for end in _inside(one, *ends):
                    beside = _moved(point, name, end, setting)
                    truths = {_holds(one, beside), _holds(other, beside)}
                    if truths == {True, False}:
                        return beside
    return None


def _ordered(relations: Relations) -> Relations:
    """`a = b` as `a < b`, whose truth changes where `a = b` holds."""
    (relation, right), *others = relations.rest
    if relation != "=" or others:
        return relations
    return Relations(relations.first, (("<", right),))


def _inside(relations: Relations, low: Fraction, high: Fraction) -> tuple[Fraction, ...]:
    """Where to look: on both sides of a boundary; for an equality on it, if it is simple enough."""
    simple = ((low + high) / 2).limit_denominator(10**6)
    between = low < simple < high and _ordered(relations) is not relations
    return (simple, low, high) if between and high - low < 1 else (low, high)


def _halved(
    relations: Relations, name: str, point: Values, setting: Setting
) -> tuple[Fraction, Fraction] | None:
    """Two values of a letter, close to each other, between which the condition changes."""
    start, whole = rational(point[name]), setting.letters[name].domain is Domain.POSITIVE_INTEGER
    powers = range(5) if whole else range(-8, 9)
    tried = [start * 10**n if n >= 0 else start / 10**-n for n in powers]
    found = [(v, _holds(relations, _moved(point, name, v, setting))) for v in tried]
    known = [(v, truth) for v, truth in found if truth is not None]
    for (low, truth), (high, changed) in pairwise(known):
        if truth == changed:
            continue
        return _closed_in(relations, name, point, setting, (low, high, truth))
    return None


def _closed_in(
    relations: Relations,
    name: str,
    point: Values,
    setting: Setting,
    between: tuple[Fraction, Fraction, bool],
) -> tuple[Fraction, Fraction] | None:
    """The ends brought together, the condition keeping its truth at the lower one."""
    low, high, truth = between
    whole = setting.letters[name].domain is Domain.POSITIVE_INTEGER
    while high - low > (1 if whole else high / 10**12):
        middle = Fraction(floor((low + high) / 2)) if whole else (low + high) / 2
        here = _holds(relations, _moved(point, name, middle, setting))
        if here is None:
            return None
        low, high = (middle, high) if here == truth else (low, middle)
    return low, high


def _moved(point: Values, name: str, value: Fraction, setting: Setting) -> Values | None:
    """The point with another value of one letter; None where that is not allowed."""
    try:
        moved = setting.complete({**point, name: value})
        return moved if all(given_holds(given, moved) for given in setting.given) else None
    except DoesNotEvaluateError:
        return None


def _holds(relations: Relations, point: Values | None) -> bool | None:
    if point is None:
        return None
    try:
        return holds(relations, point)
    except DoesNotEvaluateError:
        return None


def _solved_letter(relations: Relations) -> str | None:
    side = relations.first
    if isinstance(side, Name) and side.id not in names_in(relations.rest[0][1]):
        return side.id
    return None


def _lower(function: Expr, letter: str, value: Expr, values: Values) -> Values | None:
    """Where the claimed least value is undercut, on a spread of values of the letter."""
    least = rational(evaluate(value, values))
    for factor in (Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(90)):
        trial = {**values, letter: rational(values[letter]) * factor}
        if rational(evaluate(function, trial)) < least - abs(least) / 10**50:
            return trial
    return None


# --- SymPy ------------------------------------------------------------------------------------


class _Reading:
    """SymPy's reading of a setting's formulas, used results replaced by `inside`."""

    def __init__(self, setting: Setting, inside: Mapping[str, Expr]) -> None:
        from workings.proof.algebra import Algebra  # noqa: PLC0415 - loads SymPy

        self.algebra, self.inside = Algebra(setting), inside

    def __call__(self, node: Expr) -> Any:
        return self.algebra.read(substitute(node, self.inside))

    def ask(self, question: Callable[[_Reading], R], *about: Expr) -> R | None:
        """SymPy's answer, or None; what may take long is asked in a child process."""
        quick = all(_quick(substitute(node, self.inside)) for node in about)
        return in_child(question, self, quick=quick)


def _readings(setting: Setting) -> list[_Reading]:
    """First with used results as letters of their own, then with their formulas put in."""
    if not setting.opaque:
        return [_Reading(setting, {})]
    inside = {name: opaque.unfold() for name, opaque in setting.opaque.items()}
    return [_Reading(setting, {}), _Reading(setting, inside)]


def _difference_is_zero(left: Expr, right: Expr, setting: Setting) -> str | None:
    for reading in _readings(setting):
        if reading.ask(lambda read: read.algebra.is_zero(read(left) - read(right)), left, right):
            put_in = " once results are put in" if reading.inside else ""
            return f"SymPy: the difference is 0{put_in}"
    return None


def _quick(node: Expr) -> bool:
    """Whether a formula is light enough to simplify here instead of in a child process."""
    parts = list(walk(node))
    return len(parts) < 300 and not any(_heavy(part) for part in parts)


def _heavy(part: Formula) -> bool:
    """A literal power or a sum over a literal range that would take long to write out."""
    match part:
        case Power(_, exponent):
            return not names_in(exponent) and not _within(exponent, 16)
        case Series(_, _, lower, upper):
            return any(not names_in(end) and not _within(end, 100) for end in (lower, upper))
    return False


def _within(node: Expr, most: int) -> bool:
    try:
        return abs(rational(evaluate(node, {}))) <= most
    except DoesNotEvaluateError:
        return False


def _limit(left: Expr, right: Expr, towards: Sequence[str], read: _Reading) -> str | None:
    """The limit of left/right as text; None where SymPy finds none."""
    import sympy  # noqa: PLC0415 - loaded only when proving

    quotient = sympy.cancel(sympy.together((read(left) / read(right)).doit()))
    for name in towards:
        quotient = sympy.limit(quotient, read.algebra.symbols[name], sympy.oo)
    quotient = sympy.simplify(quotient)
    unknown = quotient.has(sympy.Limit, sympy.AccumBounds, sympy.nan)
    return None if unknown else str(quotient)


def _gaps_share_sign(before: Relations, after: Relations, read: _Reading) -> bool:
    """Each condition left over before has a partner after whose gap is a positive multiple."""
    firsts, seconds = _open_gaps(before, read), _open_gaps(after, read)
    if len(firsts) != len(seconds):
        return False
    pairs = zip(firsts, seconds, strict=True)
    return all(a[0] == b[0] and _one_sign(a[1] / b[1], a[0], read) for a, b in pairs)


def _one_sign(quotient: Any, kind: str, read: _Reading) -> bool:
    return read.algebra.sign(quotient) in (("+",) if kind != "=" else ("+", "-"))


def _open_gaps(relations: Relations, read: _Reading) -> list[tuple[str, Any]]:
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
    return [(kind, gap) for kind, gap in gaps if kind == "=" or read.algebra.sign(gap) != "+"]


def _parts(node: Expr, function: str) -> tuple[Expr, ...]:
    """Being above a max is being above each of its arguments."""
    return node.args if isinstance(node, Call) and node.function == function else (node,)


def _is_global(function: Expr, letter: str, at: Expr, read: _Reading) -> bool:
    """Rising and falling branches of a max that meet, or f(r X*) - f(X*) never negative."""
    import sympy  # noqa: PLC0415 - loaded only when proving

    algebra = read.algebra
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
