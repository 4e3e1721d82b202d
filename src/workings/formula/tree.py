"""The expression tree: what was written, in the order it was written.

Sums and products are flat, as on paper: `2*(N - 1)/N*S` is one Product of four factors, so a
page prints it as its author wrote it. A parenthesised part is a node of its own, so
`a - (b - c)` keeps its parentheses. Spans and literal text take no part in equality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from workings.errors import UserError


class FormulaError(UserError):
    """A formula that cannot be read, with the line and column (from 1) of the trouble in `text`.

    Without a text the trouble has no place, such as an answer of SymPy that formulas cannot say.
    """

    def __init__(self, message: str, text: str | None = None, position: int = 0) -> None:
        before = (text or "")[:position]
        line = before.count("\n") + 1
        column = position - (before.rfind("\n") + 1) + 1
        super().__init__(message if text is None else f"line {line}, column {column}: {message}")
        self.reason, self.position, self.line, self.column = message, position, line, column


class Span(NamedTuple):
    """Where a node stands in its text: start and end offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Num:
    """A literal: exact value, the text it was written as, and a unit in brackets if any."""

    value: Fraction
    unit: str | None = None
    text: str = field(default="", compare=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A letter: `N`, `N_fsdp`, `alpha`."""

    id: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Add:
    """`first ± term ± term …` with at least one term after the first."""

    first: Expr
    rest: tuple[tuple[Literal["+", "-"], Expr], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Product:
    """`first */ factor */ factor …`, read from the left."""

    first: Expr
    rest: tuple[tuple[Literal["*", "/"], Expr], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negative:
    """A leading minus."""

    operand: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Power:
    """`base ^ exponent`."""

    base: Expr
    exponent: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """max, min, ceil, floor, log2 or sqrt of its arguments."""

    function: str
    args: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Series:
    """`sum(body, (index, lower, upper))`, both ends included."""

    body: Expr
    index: str
    lower: Expr
    upper: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


Expr: TypeAlias = Num | Name | Add | Product | Negative | Power | Call | Series

RELATIONS = ("<=>", "<=", ">=", "≈", "=", "<", ">")


@dataclass(frozen=True, slots=True)
class Relations:
    """`first = second <= third …`: expressions joined by relations, each with its neighbour."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span | None = field(default=None, compare=False, repr=False)


Formula: TypeAlias = Expr | Relations

# How many arguments each function takes: at least, at most.
FUNCTIONS: Mapping[str, tuple[int, int]] = {
    "max": (2, 20),
    "min": (2, 20),
    "ceil": (1, 1),
    "floor": (1, 1),
    "log2": (1, 1),
    "sqrt": (1, 1),
}


def children(node: Formula) -> tuple[Expr, ...]:
    """The direct parts of a node, in written order."""
    match node:
        case Num() | Name():
            return ()
        case Add(first, rest) | Product(first, rest) | Relations(first, rest):
            return (first, *(part for _, part in rest))
        case Negative(operand):
            return (operand,)
        case Power(base, exponent):
            return (base, exponent)
        case Call(_, args):
            return args
        case Series(body, _, lower, upper):
            return (body, lower, upper)


def walk(node: Formula) -> Iterator[Formula]:
    """The node and everything under it."""
    yield node
    for child in children(node):
        yield from walk(child)


def depth(node: Formula) -> int:
    """How many nodes lie on the longest way down."""
    level, found = [node], 0
    while level:
        level = [child for part in level for child in children(part)]
        found += 1
    return found


def names_in(node: Formula) -> tuple[str, ...]:
    """The free letters, in order of first appearance (a sum's index is not free)."""
    found: dict[str, None] = {}

    def visit(part: Formula, bound: frozenset[str]) -> None:
        if isinstance(part, Name):
            if part.id not in bound:
                found[part.id] = None
            return
        if isinstance(part, Series):
            visit(part.lower, bound)
            visit(part.upper, bound)
            visit(part.body, bound | {part.index})
            return
        for child in children(part):
            visit(child, bound)

    visit(node, frozenset())
    return tuple(found)


def rebuild(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The same node with `change` applied to each direct part."""
    match node:
        case Num() | Name():
            return node
        case Add(first, rest):
            terms = tuple((sign, change(part)) for sign, part in rest)
            return replace(node, first=change(first), rest=terms)
        case Product(first, rest):
            factors = tuple((sign, change(part)) for sign, part in rest)
            return replace(node, first=change(first), rest=factors)
        case Negative(operand):
            return replace(node, operand=change(operand))
        case Power(base, exponent):
            return replace(node, base=change(base), exponent=change(exponent))
        case Call(_, args):
            return replace(node, args=tuple(change(arg) for arg in args))
        case Series(body, _, lower, upper):
            return replace(node, body=change(body), lower=change(lower), upper=change(upper))


def substitute(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """Put expressions in place of free letters. A value must not capture a sum's index."""
    if isinstance(node, Name):
        return values.get(node.id, node)
    if isinstance(node, Series):
        inside = {n: values[n] for n in names_in(node.body) if n != node.index and n in values}
        captured = [n for n, value in inside.items() if node.index in names_in(value)]
        if captured:
            raise FormulaError(f"the index {node.index} of a sum also stands in {captured[0]}")
        body = substitute(node.body, inside)
        low, high = substitute(node.lower, values), substitute(node.upper, values)
        return replace(node, body=body, lower=low, upper=high)
    return rebuild(node, lambda part: substitute(part, values))
