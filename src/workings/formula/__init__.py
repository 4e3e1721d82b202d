"""One expression tree with source spans, written once and read many ways.

The grammar is loaded when first used: a formula that was kept as a tree needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workings.formula.dimension import dimension_of
from workings.formula.exact import evaluate, holds
from workings.formula.interval import DoesNotEvaluateError, Value
from workings.formula.plain import plain
from workings.formula.readings.latex import latex
from workings.formula.tree import (
    Add,
    Call,
    Expr,
    Formula,
    FormulaError,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    Span,
    names_in,
    substitute,
)

if TYPE_CHECKING:
    from workings.formula.grammar import parse_expression, parse_formula

__all__ = [
    "Add",
    "Call",
    "DoesNotEvaluateError",
    "Expr",
    "Formula",
    "FormulaError",
    "Name",
    "Negative",
    "Num",
    "Power",
    "Product",
    "Relations",
    "Series",
    "Span",
    "Value",
    "dimension_of",
    "evaluate",
    "holds",
    "latex",
    "names_in",
    "parse_expression",
    "parse_formula",
    "plain",
    "substitute",
]


def __getattr__(name: str) -> Any:
    """Load what the grammar offers on first use."""
    if name not in ("parse_expression", "parse_formula"):
        raise AttributeError(f"module 'workings.formula' has no attribute {name!r}")
    from workings.formula import grammar  # noqa: PLC0415 - this is its first use

    return getattr(grammar, name)
