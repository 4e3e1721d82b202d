"""Statements in their places: from offsets of the text to lines and columns of the file."""

from __future__ import annotations

from dataclasses import replace

from workings.check.blocks import Document
from workings.check.figures import Figure
from workings.check.steps import Judgement, Step
from workings.check.verdicts import Statement, Verdict


def at_figure(document: Document, figure: Figure, verdict: Verdict, read_as: str) -> Statement:
    """A statement in the place of a figure."""
    block = figure.block
    placed = _placed(document, figure.offset, block.offsets[figure.end - 1] + 1, block.notebook_cell)
    return replace(placed, verdict=verdict, layer="follows", read_as=read_as)


def at_step(document: Document, step: Step, judgement: Judgement) -> Statement:
    """A statement in the place of a step."""
    block, outcome, start = step.chain.block, judgement.outcome, step.left.start
    begin, stop = block.offsets[start], block.offsets[max(step.right.end - 1, start)] + 1
    return replace(
        _placed(document, begin, stop, block.notebook_cell), relation=step.relation,
        verdict=outcome.verdict, layer=judgement.layer, read_as=judgement.read_as,
        written=outcome.written, expected=outcome.expected, reason=outcome.reason or outcome.reading,
    )  # fmt: skip


def _placed(document: Document, begin: int, stop: int, cell: int | None) -> Statement:
    """A statement of nothing yet, from one offset of the file to another."""
    line, column = document.place(begin)
    end_line, end_column = document.place(max(stop - 1, begin))
    quote = document.text[begin:stop]
    return Statement(document.path, line, column, end_line, end_column + 1, quote, "", "undecided",
                     cell=cell)  # fmt: skip
