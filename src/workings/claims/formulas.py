"""Names that a program works out from others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from workings.claims.outputs import exact
from workings.claims.programs import Run
from workings.claims.programs.sources import Piece
from workings.claims.remarks import is_calculation
from workings.marks.tree import Letter, Node, Operation

if TYPE_CHECKING:
    from workings.claims.page import Page

LARGEST = 1e300
_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Pow: "^",
}  # fmt: skip
_CALLS = {"ceil": "ceil", "floor": "floor", "int": "floor", "sqrt": "sqrt", "log2": "log2"}
_WHOLE = ("int", "ceil", "floor", "round")


@dataclass(frozen=True)
class Coded:
    """`name = expression` in a program."""

    name: str
    run: Run
    expression: ast.expr
    start: int
    end: int

    @property
    def node(self) -> Node | None:
        """The expression as a calculation, if it is no more than one."""
        return node_of(self.run.piece, self.expression)


def node_of(piece: Piece, of: ast.expr) -> Node | None:
    """An expression as a calculation; None where it is more than numbers, names and what joins them."""
    match of:
        case ast.Name(id=name):
            return Letter(name, *piece.span(of))
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            start, end = piece.span(of)
            number = exact(Fraction(repr(value))) if abs(value) < LARGEST else None
            return None if number is None else replace(number, start=start, end=end)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return _operation("neg", [node_of(piece, part)])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            found = _operation(_SIGNS[type(op)], [node_of(piece, part) for part in (left, right)])
            return _operation("floor", [found]) if isinstance(op, ast.FloorDiv) else found
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[part]) if name in _CALLS:
            return _operation(_CALLS[name], [node_of(piece, part)])
    return None


def _operation(sign: str, parts: Sequence[Node | None]) -> Node | None:
    known = tuple(part for part in parts if part is not None)
    return Operation(sign, known) if len(known) == len(parts) else None


class _Flat(ast.NodeTransformer):
    """`cfg["layers"]` and `cfg.layers` as the name `layers`; `unread` if anything else is there."""

    def __init__(self) -> None:
        self.unread = False

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return ast.copy_location(ast.Name(node.slice.value, ast.Load()), node)
        self.unread = True
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.copy_location(ast.Name(node.attr, ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        self.unread |= name not in _WHOLE or len(node.args) != 1 or bool(node.keywords)
        node.args = [self.visit(part) for part in node.args]
        return node


def coded(page: Page) -> Iterator[Coded]:
    """Every name that a program works out from others."""
    for run in page.program.runs:
        for step in run.steps:
            match step.node:
                case ast.Assign(targets=[ast.Name(id=name)], value=source) if is_calculation(source):
                    if (read := _read(source)) is not None:
                        yield Coded(name, run, read, *run.piece.span(source))


def _read(expression: ast.expr) -> ast.expr | None:
    """An expression of plain names, if there are any."""
    flat = _Flat()
    found = flat.visit(deepcopy(expression))
    functions = {id(part.func) for part in ast.walk(found) if isinstance(part, ast.Call)}
    named = any(isinstance(part, ast.Name) and id(part) not in functions for part in ast.walk(found))
    return found if named and not flat.unread else None
