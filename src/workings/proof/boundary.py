"""Where a condition changes: points beside its boundary, found by solving or by halving."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import floor

from workings.formula import (
    DoesNotEvaluateError,
    Name,
    Relations,
    Value,
    evaluate,
    holds,
    names_in,
)
from workings.formula.interval import rational
from workings.proof.probes import PROBES
from workings.proof.setting import Setting, Values, given_holds
from workings.vocabulary.concept import Domain


def unlike(
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
    if domain.integer:
        near = [Fraction(floor(middle) + step) for step in (-1, 0, 1, 2)]
    else:
        near = [middle * Fraction(n, 1000) for n in (999, 1000, 1001)]
        near = [v for v in near if v != middle or isinstance(boundary, Fraction)]
    return [v for v in near if v > 0]


def apart_at_a_boundary(before: Relations, after: Relations, setting: Setting) -> Values | None:
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
    start, whole = rational(point[name]), setting.letters[name].domain.integer
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
    whole = setting.letters[name].domain.integer
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


def solved_letter(relations: Relations) -> str | None:
    """The letter that a condition is solved for, such as N in `N > …`."""
    side = relations.first
    if isinstance(side, Name) and side.id not in names_in(relations.rest[0][1]):
        return side.id
    return None
