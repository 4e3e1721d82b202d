"""The calculations of programs as claims, so that formulas in code are read like displayed ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from workings.claims.claim import Claim
from workings.claims.formulas import node_of
from workings.claims.programs import Program


def coded(program: Program) -> Iterator[Claim]:
    """Every calculation that a statement sets a name to, or returns."""
    for run in program.runs:
        for step in run.piece.tree or ():
            for part in ast.walk(step):
                source = part.value if isinstance(part, ast.Assign | ast.Return) else None
                node = node_of(run.piece, source) if isinstance(source, ast.BinOp) else None
                if node is not None and isinstance(part, ast.stmt):
                    start, end = run.piece.span(part)
                    yield Claim(
                        run.piece.block, start, end, node, "", node, figure=(start, end), sign=end
                    )
