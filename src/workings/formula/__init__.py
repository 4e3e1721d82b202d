"""One expression tree with source spans, written once and read many ways."""

from workings.formula.dimension import dimension_of
from workings.formula.exact import DoesNotEvaluateError, Value, evaluate, holds
from workings.formula.grammar import parse_expression, parse_formula
from workings.formula.latex import latex
from workings.formula.plain import plain
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
