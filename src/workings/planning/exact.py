"""The exact reading of a plan: every statement to a fraction, one layout at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from workings.formula import evaluate
from workings.formula.interval import rational
from workings.planning.statement import Plan, Statement


def exactly(
    plan: Plan, given: Mapping[str, Fraction], wanted: Iterable[str] | None = None
) -> dict[str, Fraction]:
    """The values given and those that follow, in base units; with `wanted`, only what these need.

    Raises DoesNotEvaluateError where a letter is missing or something is divided by zero.
    """
    values = dict(given)
    for statement in plan.statements if wanted is None else plan.needed_for(wanted, values):
        if statement.letter not in values:
            values[statement.letter] = rational(evaluate(statement.formula, values))
    return values


def anew(values: Mapping[str, Fraction], moved: Iterable[Statement]) -> dict[str, Fraction]:
    """The values with some statements, in order, worked out again."""
    found = dict(values)
    for statement in moved:
        found[statement.letter] = rational(evaluate(statement.formula, found))
    return found
