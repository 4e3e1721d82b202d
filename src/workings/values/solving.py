"""Solving a result for a letter: in closed form, or for the first whole number that will do."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isqrt, lcm

from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, needed_letters, unfolded, value_of
from workings.derivation.pins import Pinned
from workings.formula import (
    Add,
    DoesNotEvaluateError,
    Expr,
    FormulaError,
    Num,
    Value,
    evaluate,
    names_in,
)
from workings.formula.exact import compare
from workings.formula.interval import rational
from workings.proof.setting import Divides
from workings.scenario import Scenario, ScenarioError
from workings.scenario.names import key_named
from workings.units import Quantity, UnitError, parse_quantity
from workings.values.binding import Binding, bind
from workings.values.noticed import as_a_setting, notices
from workings.values.solved import Solution
from workings.values.taken import lacks, takes
from workings.values.trying import crossing
from workings.values.unsolved import what_stays
from workings.vocabulary import concepts
from workings.vocabulary.concept import Concept

_LIMIT = re.compile(r"\s*(<=|>=|<|>)\s*(.+)")
FAR = 10**15
MOST_DIVIDED = 10**12


def solve(
    what: Derivation,
    condition: str,
    letter: str,
    scenario: Scenario | None,
    settings: Mapping[str, str] | None = None,
) -> Solution:
    """The smallest value of `letter` for which the result keeps `condition` ("< 95 GB").

    The largest where small ones keep it and large ones do not. Exact; whole numbers for a letter that
    counts, otherwise the boundary. Raises ScenarioError for
    a condition or letter that does not fit, FormulaError where the result cannot be solved.
    """
    relation, limit = _condition(what, condition)
    bound = bind(what, scenario, settings)
    name = _letter(what, letter, bound.pinned)
    if own := {letter, name, what.letters[name].name} & set(settings or {}):
        raise ScenarioError(f"--set {own.pop()}: found a value for what is solved for, expected none")
    if told_apart := [spot for spot in bound.pinned if spot.at]:
        raise ScenarioError(f"--set {told_apart[0]}: a letter is solved for under settings that hold "
                            f"whatever the arguments, expected {told_apart[0].id}")  # fmt: skip
    missing = [n for n in needed_letters(what, bound.pinned) if n not in bound.values and n != name]
    if missing:
        raise ScenarioError(lacks(what, missing, scenario))
    try:
        points = _critical(what, name, bound, limit)
    except FormulaError as error:
        found = _by_trying(what, name, bound, (relation, limit), error)
    else:
        found = _by_points(what, name, bound, (relation, limit), points)
    if found.why:
        return found
    values = bound.values if found.at is None else {**bound.values, name: found.at}
    solved = replace(bound, values=values, said={**bound.said, name: letter})
    said = notices(what, scenario, settings or {}, solved)
    return replace(
        found,
        notices=(*found.notices, *said, *as_a_setting(what, letter, (name, found.at), scenario, bound)),
    )


def _by_points(
    what: Derivation, name: str, bound: Binding, condition: tuple[str, Fraction], points: list[Fraction]
) -> Solution:
    """What keeps a condition whose answer changes at these points alone."""
    relation, limit = condition

    def keeps(value: Fraction) -> bool:
        there = _value(what, name, value, bound)
        return there is not None and compare(there, relation, limit)

    found: Solution | None = None
    tried: dict[Fraction, Fraction] = {}
    if what.letters[name].domain.integer:
        near = {Fraction(p.__floor__() + step) for p in points for step in (-1, 0, 1, 2)}
        near |= _where_it_applies(what, name, bound.values, points)
        for at in sorted(v for v in near | {Fraction(1)} if 1 <= v < FAR):
            if (there := _value(what, name, at, bound)) is not None:
                tried[at] = there
        found = _whole(what, name, bound, condition, tried)
    elif ranges := _ranges([p for p in points if p > 0], keeps):
        found = Solution(what, name, relation, limit, ranges=ranges)
    return found or Solution(
        what, name, relation, limit, why=what_stays(what, name, bound, condition, tried)
    )


def _by_trying(
    what: Derivation, name: str, bound: Binding, condition: tuple[str, Fraction], error: FormulaError
) -> Solution:
    """The first or last whole number that keeps a condition which cannot be solved in closed form."""
    relation, limit = condition
    found = what.letters[name].domain.integer and crossing(
        lambda at: _value(what, name, at, bound), lambda value: compare(value, relation, limit)
    )
    if not found:
        raise FormulaError(
            f"{what.id}: {error}, expected another letter, or `workings value` at some numbers"
        )
    tried, said = found
    solved = _whole(what, name, bound, condition, tried)
    if solved is None:
        return Solution(what, name, relation, limit, why=what_stays(what, name, bound, condition, tried))
    return replace(solved, notices=(*solved.notices, said))


def _whole(
    what: Derivation, name: str, bound: Binding, condition: tuple[str, Fraction],
    tried: Mapping[Fraction, Fraction],
) -> Solution | None:  # fmt: skip
    """The first number that keeps a condition, of those in ascending order around each change.

    The last one before those that break it, where none before the first does.
    """
    relation, limit = condition
    kept = {at: compare(there, relation, limit) for at, there in tried.items()}
    first = next((at for at in kept if kept[at]), None)
    if first is None:
        return None
    before = _value(what, name, first - 1, bound) if first > 1 else None
    found = Solution(what, name, relation, limit, first, tried[first], before)
    after = next((at for at in kept if at > first and not kept[at]), None)
    if after is None:
        return found
    last = max(at for at in kept if at < after)
    again = next((at for at in kept if at > after and kept[at]), None)
    if again is not None:
        more = f"Numbers up to {int(last):,} keep it, and from {int(again):,} on there are more that do."
        return replace(found, notices=(more,))
    if any(at < first for at in kept):
        return found
    return Solution(what, name, relation, limit, last, tried[last], after=after, value_after=tried[after])


def _where_it_applies(
    what: Derivation, name: str, values: Mapping[str, Value], points: list[Fraction]
) -> set[Fraction]:
    """Under `2 divides L` or `m divides B`, the whole numbers to try: what lies near may not apply.

    The first multiple of what must divide the letter, and the first beyond each point where the
    answer can change; or every divisor of what the letter must divide.
    """
    step, found = 1, set[Fraction]()
    for given in what.conditions:
        if not isinstance(given, Divides):
            continue
        one = {**values, name: Fraction(1)}
        quotient = rational(evaluate(given.multiple, one)) / rational(evaluate(given.divisor, one))
        if name in names_in(given.multiple):
            step = lcm(step, quotient.denominator)
        elif name in names_in(given.divisor):
            whole = min(int(quotient), MOST_DIVIDED)
            small = [n for n in range(1, isqrt(whole) + 1) if whole % n == 0]
            found |= {Fraction(n) for d in small for n in (d, whole // d)}
    if step > 1:
        found |= {Fraction((p / step).__floor__() + 1) * step for p in [Fraction(0), *points]}
        found |= {Fraction((p / step).__floor__()) * step for p in points}
    return found


def _ranges(
    points: list[Fraction], keeps: Callable[[Fraction], bool]
) -> tuple[tuple[Fraction, Fraction | None], ...]:
    """The gaps between places where the answer can change in which the condition holds."""
    ends: list[Fraction | None] = [Fraction(0), *points, None]
    found = []
    for low, high in itertools.pairwise(ends):
        start = low or Fraction(0)
        inside = (start + high) / 2 if high is not None else 2 * start + 1
        if keeps(inside):
            found.append((start, high))
    return tuple(found)


def _condition(what: Derivation, text: str) -> tuple[str, Fraction]:
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise ScenarioError(f"condition: found {text!r}, expected one such as '< 95 GB'")
    try:
        limit: Quantity = parse_quantity(match[2])
    except UnitError as error:
        raise ScenarioError(f"condition: {error}") from error
    if limit.dimension != what.unit:
        raise ScenarioError(f"condition: found {match[2]!r}, expected a quantity in {what.unit}")
    return match[1], limit.value


def _letter(what: Derivation, text: str, pinned: Pinned) -> str:
    """The letter that is solved for: itself, its concept or another reading of that, or its key."""
    free = names_in(unfolded(what, None, pinned))
    key = key_named(text)
    readings: tuple[Callable[[str, Concept], bool], ...] = (
        lambda name, concept: text in (name, concept.name),
        lambda _, concept: bool(key) and concept.supplied == key,
        lambda _, concept: (
            bool(key) and any(c.name == concept.kin and c.supplied == key for c in concepts())
        ),
    )
    for fits in readings:
        found = [name for name, concept in what.letters.items() if name in free and fits(name, concept)]
        if found:
            return found[0]
    known = takes(what, text, set(needed_letters(what, pinned)) & set(free))
    raise ScenarioError(f"--for {text}: {what.id} does not depend on it: {known}")


def _critical(what: Derivation, name: str, bound: Binding, limit: Fraction) -> list[Fraction]:
    """Every place where `result - limit` can change sign, in ascending order."""
    from workings.proof.closed_form import critical_points  # noqa: PLC0415 - loads SymPy

    gap = Add(unfolded(what, None, bound.pinned), (("-", Num(limit)),))
    others = {n: rational(v) for n, v in bound.values.items() if n != name}
    return critical_points(gap, name, others)


def _value(what: Derivation, name: str, value: Fraction, bound: Binding) -> Fraction | None:
    """The result there, or None where the derivation does not apply."""
    try:
        return rational(value_of(what, {**bound.values, name: value}, bound.pinned))
    except (DoesNotApplyError, DoesNotEvaluateError):
        return None


def closed_forms(what: Derivation, letter: str) -> list[Expr]:
    """`letter` from `result = formula` in closed form, by SymPy. Raises FormulaError if none."""
    from workings.proof.closed_form import solutions  # noqa: PLC0415 - loads SymPy

    if what.head is None:
        raise FormulaError(f"{what.id} is a condition, already solved for {what.solved_letter}")
    try:
        found = solutions(what.result, letter, what.head, what.setting)
    except NotImplementedError as error:
        raise FormulaError(f"{what.id}: SymPy cannot solve it for {letter}") from error
    if not found:
        raise FormulaError(f"{what.id}: no positive solution for {letter}")
    return found
