"""Formulas of the plan's letters beside the plan: what a part of a result is made of."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from workings.formula import Expr, evaluate, names_in, parse_expression
from workings.formula.interval import rational


@cache
def parsed(formula: str) -> Expr:
    """A formula as a tree."""
    return parse_expression(formula)


def letters_of(formula: str) -> tuple[str, ...]:
    """Its letters."""
    return tuple(names_in(parsed(formula)))


def worth(formula: str, values: Mapping[str, Fraction]) -> Fraction:
    """Its value, exactly. Raises DoesNotEvaluateError."""
    return rational(evaluate(parsed(formula), values))
