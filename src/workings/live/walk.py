"""Every number of a document whose source is known."""

from __future__ import annotations

from collections.abc import Iterator

from workings.document import made_of
from workings.document.blocks import (
    Answer,
    Bars,
    Block,
    Chain,
    Document,
    Emphasis,
    Gantt,
    Heading,
    Inline,
    Line,
    Link,
    Note,
    Number,
    Prose,
    Reference,
    Strips,
    Strong,
    Table,
    Text,
    Worked,
    walk,
)


def sources_of(document: Document) -> Iterator[made_of.Source | made_of.Drawn]:
    """What the numbers of a document were worked out from, in reading order."""
    for piece in following(document):
        if piece.source is not None:
            yield piece.source


def following(document: Document) -> Iterator[Text | Number | Worked | Bars]:
    """The numbers, words, formulas and figures whose source is known."""
    for block in walk(document.blocks):
        for line in _lines(block):
            yield from _pieces(line)
        if isinstance(block, Worked | Bars) and block.source is not None:
            yield block


def _lines(block: Block) -> Iterator[Line]:
    """The lines of running text of a block, those of blocks inside it apart."""
    match block:
        case Heading(_, line) | Prose(line):
            yield line
        case Note(_, title, _):
            yield title
        case Answer():
            yield from (block.words, block.value)
        case Chain():
            yield from (block.title, *block.before, *block.footer, *(s.reason for s in block.steps))
        case Worked():
            yield block.title
        case Table():
            yield from (block.caption, *block.head, *(cell for row in block.rows for cell in row))
        case Bars() | Gantt() | Strips():
            yield block.caption


def _pieces(line: Line) -> Iterator[Text | Number]:
    piece: Inline
    for piece in line:
        if isinstance(piece, Text | Number):
            if piece.source is not None:
                yield piece
        elif isinstance(piece, Strong | Emphasis | Link | Reference):
            yield from _pieces(piece.inside)
