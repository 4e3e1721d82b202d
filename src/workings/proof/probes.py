"""Exact probes: whether a step holds at awkward points, and the first point where it does not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    Value,
    evaluate,
)
from workings.formula.exact import compare
from workings.formula.interval import rational
from workings.proof.setting import Setting, Values

PROBES = 16


def probe(setting: Setting, check: Callable[[Values], Values | None]) -> tuple[int, str]:
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
            return agreed, false_at(counterexample)
        agreed += 1
        if agreed == PROBES:
            break
    return agreed, ""


def false_at(point: Values) -> str:
    """A counterexample in words."""
    return "false at " + ", ".join(f"{name} = {_text(value)}" for name, value in point.items())


def _text(value: Value) -> str:
    return str(value) if isinstance(value, Fraction) else f"{float(rational(value)):.12g}"


def equal_at(left: Expr, right: Expr, values: Values) -> bool:
    """Whether both sides are equal here; undefined on one side only counts as unequal."""
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


def compared_at(left: Expr, relation: str, right: Expr, values: Values) -> bool:
    """Whether left < right (or another relation) holds here."""
    return compare(evaluate(left, values), relation, evaluate(right, values))


def undercut(function: Expr, letter: str, value: Expr, values: Values) -> Values | None:
    """Where the claimed least value is undercut, on a spread of values of the letter."""
    least = rational(evaluate(value, values))
    for factor in (Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(90)):
        trial = {**values, letter: rational(values[letter]) * factor}
        if rational(evaluate(function, trial)) < least - abs(least) / 10**50:
            return trial
    return None
