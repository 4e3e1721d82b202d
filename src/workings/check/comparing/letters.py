"""Comparing two sides with free letters: exact probes, then what a difference may come from."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workings.check.comparing.growth import limit_of
from workings.check.comparing.nearness import PLAIN, Closeness, Pair, closeness, pair_of, unrounded
from workings.check.comparing.outcome import Assumptions, Outcome
from workings.check.comparing.points import Point, probes_for
from workings.check.comparing.printed import sole_number
from workings.check.comparing.rounding_calls import without_rounding
from workings.check.comparing.scales import bare, in_base_units, literals, units_in
from workings.check.comparing.shown import decimal, side
from workings.check.comparing.values import same, value_of
from workings.formula import DoesNotEvaluateError, names_in
from workings.formula.tree import Add, Expr, Name, Num, Series, rebuild, walk

ENOUGH = 12


def compare_letters(left: Expr, relation: str, right: Expr, assuming: Assumptions) -> Outcome:
    """Whether two formulas agree for all values of their letters. Raises DoesNotEvaluateError."""
    readings = _readings(left, right)
    letters = tuple(dict.fromkeys((*names_in(left), *names_in(right))))
    first: list[tuple[Point, Pair]] = []
    for a, b, words in readings:
        found = _probed(a, b, letters)
        first = first or found
        close = _all_close(found, relation) if len(found) >= ENOUGH else None
        if close == "up" or (close and words):
            said = words or "rounded up"
            return Outcome("depends", said, f"holds {said}", side(right))
        if close in PLAIN:
            return Outcome(PLAIN[close], written=side(right))
        if relation == "≈" and len(found) >= ENOUGH and all(_near(pair) for _, pair in found):
            return Outcome("rounds", written=side(right))
    if not first:
        raise DoesNotEvaluateError("the two sides could not be evaluated at enough points")
    a, b, _ = readings[0]
    return (
        _in_the_limit(a, relation, b, letters, assuming)
        or _under_another_reading(a, b, letters)
        or _different(a, relation, b, first, assuming)
    )


def _near(pair: Pair) -> bool:
    """Within 3 %, as coefficients rounded to one or two digits are."""
    return abs(pair.a - pair.b) <= Fraction(3, 100) * abs(pair.a)


def _readings(left: Expr, right: Expr) -> list[tuple[Expr, Expr, str]]:
    """In base units; and as bare numbers, for letters have no known unit."""
    on_left, on_right = units_in(left), units_in(right)
    if not (on_left or on_right):
        return [(left, right, "")]
    alike = not on_left or not on_right or on_left == on_right
    words = "" if alike else "with the units left out"
    return [(in_base_units(left), in_base_units(right), ""), (bare(left), bare(right), words)]


def _probed(left: Expr, right: Expr, letters: Sequence[str]) -> list[tuple[Point, Pair]]:
    """Both sides at every probe where both have a value."""
    found = []
    for point in probes_for(left, right, letters):
        try:
            if _sums_run_upwards(left, point) and _sums_run_upwards(right, point):
                found.append((point, pair_of(left, right, point)))
        except DoesNotEvaluateError:
            continue
    return found


def _sums_run_upwards(tree: Expr, point: Point) -> bool:
    """Whether no sum at the top of its own scope has an end below its beginning: nobody means those."""
    for node in walk(tree):
        if isinstance(node, Series) and not set(names_in(node.lower)) - set(point):
            if set(names_in(node.upper)) - set(point):
                continue
            if value_of(node.upper, point) < value_of(node.lower, point) - 1:
                return False
    return True


def _all_close(found: list[tuple[Point, Pair]], relation: str) -> Closeness | None:
    """The loosest way in which the sides agree at all probes; None if they do not at one."""
    order: tuple[Closeness, ...] = ("ok", "rounds", "truncates", "up")
    worst = 0
    for _, pair in found:
        close = closeness(pair, relation, letters=True)
        if close is None:
            return None
        worst = max(worst, order.index(close))
    return order[worst]


def _in_the_limit(
    left: Expr, relation: str, right: Expr, letters: Sequence[str], assuming: Assumptions
) -> Outcome | None:
    """Lower-order terms left out: fine after ≈, a convention after = where only constants went."""
    if relation == "≈":
        limit = limit_of(left, right, letters, assuming)
        return Outcome("ok", reason=f"holds {limit.words}", written=side(right)) if limit else None
    # Only from left to right: a constant that turns up where none stood is a mistake.
    kept = without_constants(left)
    if kept != left and _equal(kept, right, letters):
        words = "lower-order terms dropped"
        return Outcome("depends", words, f"holds only with {words}", side(right))
    return None


def without_constants(tree: Expr) -> Expr:
    """The tree without a 1 or 2 that stands in a sum beside letters: `D - 1` as `D`."""
    tree = rebuild(tree, without_constants)
    if not isinstance(tree, Add):
        return tree
    signed = [("+", tree.first), *tree.rest]
    kept = [(sign, term) for sign, term in signed if not _small_number(term)]
    beside = any(names_in(term) for _, term in kept)
    if not beside or len(kept) == len(signed) or kept[0][0] == "-":
        return tree
    return Add(kept[0][1], tuple(kept[1:])) if len(kept) > 1 else kept[0][1]


def _small_number(tree: Expr) -> bool:
    return isinstance(tree, Num) and 0 < tree.value <= 2 and tree.value.denominator == 1


def _equal(left: Expr, right: Expr, letters: Sequence[str]) -> bool:
    found = _probed(left, right, letters)
    return len(found) >= ENOUGH and all(same(pair.a, pair.b) for _, pair in found)


def _under_another_reading(left: Expr, right: Expr, letters: Sequence[str]) -> Outcome | None:
    a, b = without_rounding(left), without_rounding(right)
    if (a, b) != (left, right) and _equal(a, b, letters):
        words = "without rounding to a whole number"
        return Outcome("depends", words, f"holds {words}", side(right))
    texts: dict[str, None] = {}
    found = _probed(left, right, letters)
    for point, pair in found:
        here = unrounded(pair, point)
        if here is None:
            return None
        texts |= dict.fromkeys(here)
    named = ", ".join(list(texts)[:3])
    words = f"with unrounded values in place of {named}" if texts else "rounded"
    return Outcome("depends", words, f"holds {words}", side(right)) if len(found) >= ENOUGH else None


def _different(
    left: Expr, relation: str, right: Expr, found: list[tuple[Point, Pair]], assuming: Assumptions
) -> Outcome:
    """Wrong where both sides depend on the same letters; else something may be defined elsewhere."""
    letters = tuple(found[0][0])
    on_left, on_right = _effective(left, letters), _effective(right, letters)
    if on_left != on_right and not _wrong_limit(left, relation, right, letters, assuming):
        names = ", ".join(sorted(on_left ^ on_right)[:6])
        return Outcome("undecided", reason=f"only one side depends on {names}", written=side(right))
    if isinstance(left, Name):
        reason = f"{left.id} stands on both sides: a new value, or an equation"
        return Outcome("undecided", reason=reason, written=side(right))
    apart = [(p, q) for p, q in found if not same(q.a, q.b)]
    if not apart:
        raise DoesNotEvaluateError("the two sides could be evaluated at a few points only")
    point, pair = apart[0]
    at = ", ".join(f"{name} = {value}" for name, value in point.items() if name in on_left | on_right)
    reason = f"left side is {decimal(pair.a)}, right side {decimal(pair.b)}"
    ratios = {q.b / q.a for _, q in found if q.a}
    factor = ratios.pop() if len(ratios) == 1 else None
    expected = _expected(left, right, factor)
    return Outcome("wrong", "", f"at {at} {reason}" if at else reason, side(right), expected, factor)


def _wrong_limit(
    left: Expr, relation: str, right: Expr, letters: Sequence[str], assuming: Assumptions
) -> bool:
    """Whether ≈ names the right leading term with the wrong factor, or the same letters without one."""
    if relation != "≈":
        return False
    a, b = set(names_in(left)), set(names_in(right))
    if a == b:
        return True
    if any(n.value >= 100 for n in literals(right)):
        return False  # a value may have taken the place of a letter
    simple = limit_of(left, right, letters, assuming, simple_factor=True)
    return bool(b) and b < a and simple is not None


def _expected(left: Expr, right: Expr, factor: Fraction | None) -> str:
    """The right side with the coefficient it should have, or the left side as it stands."""
    number = sole_number(right)
    if not factor or factor < 0:
        return side(left)
    if number is None:
        return f"{decimal(1 / factor)} times what is written"
    value = number.value / factor
    return side(_with_coefficient(right, number, Num(value, number.unit, decimal(value))))


def _with_coefficient(tree: Expr, old: Num, new: Num) -> Expr:
    if tree is old:
        return new
    return rebuild(tree, lambda part: _with_coefficient(part, old, new))


def _effective(tree: Expr, letters: Sequence[str]) -> frozenset[str]:
    """The letters that do not cancel."""
    base_points = probes_for(tree, tree, letters)[:3]
    present = names_in(tree)
    found = set()
    for name in present:
        for point in base_points:
            try:
                before = value_of(tree, point)
                after = value_of(tree, {**point, name: 2 * point[name] + 1})
            except DoesNotEvaluateError:
                continue
            if not same(before, after):
                found.add(name)
                break
    return frozenset(found)
