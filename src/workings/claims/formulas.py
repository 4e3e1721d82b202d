"""Names that a program works out from others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from workings.claims.outputs import exact
from workings.claims.programs import Run
from workings.claims.programs.sources import Piece
from workings.claims.remarks import is_calculation
from workings.marks.tree import Letter, Node, Operation, letters

if TYPE_CHECKING:
    from workings.claims.page import Page

LARGEST = 1e300
_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Pow: "^",
}  # fmt: skip
_CALLS = {"ceil": "ceil", "floor": "floor", "int": "floor", "sqrt": "sqrt", "log2": "log2"}


@dataclass(frozen=True)
class Coded:
    """`name = expression` in a program."""

    name: str
    run: Run
    node: Node
    start: int
    end: int


def node_of(piece: Piece, of: ast.expr) -> Node | None:
    """An expression as a calculation; None where it is more than numbers, names and what joins them."""
    match of:
        case (
            ast.Name(id=name)
            | ast.Attribute(attr=name)
            | ast.Subscript(slice=ast.Constant(value=str() as name))
        ):
            return Letter(name, *piece.span(of))  # `cfg["layers"]` and `cfg.layers` are `layers`
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            start, end = piece.span(of)
            number = exact(Fraction(repr(value))) if abs(value) < LARGEST else None
            return None if number is None else replace(number, start=start, end=end)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return _operation("neg", [node_of(piece, part)])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            found = _operation(_SIGNS[type(op)], [node_of(piece, part) for part in (left, right)])
            return _operation("floor", [found]) if isinstance(op, ast.FloorDiv) else found
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[part], keywords=[]):
            return _operation(_CALLS[name], [node_of(piece, part)]) if name in _CALLS else None
    return None


def _operation(sign: str, parts: Sequence[Node | None]) -> Node | None:
    known = tuple(part for part in parts if part is not None)
    return Operation(sign, known) if len(known) == len(parts) else None


def coded(page: Page) -> Iterator[Coded]:
    """Every name that a program works out from others."""
    for run in page.program.runs:
        for step in run.steps:
            match step.node:
                case ast.Assign(targets=[ast.Name(id=name)], value=source) if is_calculation(source):
                    node = node_of(run.piece, source)
                    if node is not None and letters(node):
                        yield Coded(name, run, node, *run.piece.span(source))
