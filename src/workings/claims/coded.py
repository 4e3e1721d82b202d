"""The calculations of programs as claims, so that formulas in code are read like displayed ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.claims.claim import Claim
from workings.claims.programs import Program
from workings.claims.programs.operators import fraction_of
from workings.claims.programs.sources import Piece
from workings.marks.quantity import PLAIN, Printed
from workings.marks.tree import Letter, Node, Number, Operation

_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Pow: "^",
}  # fmt: skip


def coded(program: Program) -> Iterator[Claim]:
    """Every calculation that a statement sets a name to, or returns."""
    for run in program.runs:
        for step in run.piece.tree or ():
            for part in ast.walk(step):
                source = part.value if isinstance(part, ast.Assign | ast.Return) else None
                node = _node(run.piece, source) if isinstance(source, ast.BinOp) else None
                if node is not None and isinstance(part, ast.stmt):
                    start, end = run.piece.span(part)
                    yield Claim(
                        run.piece.block, start, end, node, "", node, figure=(start, end), sign=end
                    )


def _node(piece: Piece, of: ast.expr) -> Node | None:
    """A calculation as pages have it; None where it is more than numbers and names."""
    start, end = piece.span(of)
    match of:
        case ast.Name(name):
            return Letter(name, start, end)
        case ast.Constant(value):
            exact = fraction_of(value)
            return None if exact is None else Number((Printed(exact, Fraction(0)),), (PLAIN,), start, end)
        case ast.BinOp(left, sign, right) if type(sign) in _SIGNS:
            parts = (_node(piece, left), _node(piece, right))
            known = tuple(part for part in parts if part is not None)
            return Operation(_SIGNS[type(sign)], known) if len(known) == len(parts) else None
    return None
