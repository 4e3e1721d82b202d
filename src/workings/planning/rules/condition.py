"""A condition of a rule: relations of the formula grammar, or `2*c divides s`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from workings.formula import Expr, FormulaError, Relations, evaluate, holds, names_in, parse_formula
from workings.formula.interval import rational

DIVIDES = " divides "


@dataclass(frozen=True, slots=True)
class Division:
    """`divisor divides multiple`, each a formula."""

    divisor: Expr
    multiple: Expr


Parsed = Relations | Division


@cache
def parsed(text: str) -> Parsed:
    """Read a condition. Raises FormulaError where it is none."""
    divisor, divides, multiple = text.partition(DIVIDES)
    if divides:
        return Division(_expression(divisor), _expression(multiple))
    formula = parse_formula(text)
    if not isinstance(formula, Relations):
        raise FormulaError("not a condition", text, 0)
    return formula


def letters_of(text: str) -> tuple[str, ...]:
    """The letters of a condition, in the order in which they stand."""
    condition = parsed(text)
    if isinstance(condition, Division):
        return tuple(dict.fromkeys((*names_in(condition.divisor), *names_in(condition.multiple))))
    return tuple(names_in(condition))


def is_true(text: str, values: Mapping[str, Fraction]) -> bool:
    """Whether a condition is true at these values. Raises DoesNotEvaluateError."""
    condition = parsed(text)
    if isinstance(condition, Relations):
        return holds(condition, values)
    divisor, multiple = (
        rational(evaluate(side, values)) for side in (condition.divisor, condition.multiple)
    )
    return divisor != 0 and (multiple / divisor).denominator == 1


def _expression(text: str) -> Expr:
    formula = parse_formula(text)
    if isinstance(formula, Relations):
        raise FormulaError("one side of `divides` is a formula without a relation", text, 0)
    return formula
