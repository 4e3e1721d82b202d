"""Columns kept by spaces, tabs or bars read as the rows of a table, and labels in two columns as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, groupby

from workings.reading.blocks import Block, Document, TableCell

Cell = tuple[int, int, int]  # column, and where it begins and ends in the text of its block
Span = tuple[int, int]

_APART = re.compile(r"\t|\s+\|\s+|(?<=\S) {2,}(?=\S)")
_DIGIT = re.compile(r"\d")
_QUESTION, _PART = re.compile(r"\d{1,2}|[IVX]{1,4}"), re.compile(r"\(?([a-l])[.)]?")
_TAB = 8
_RULE = frozenset("-=+|: ")
MOST_LINES = 2_000


def with_columns(document: Document) -> Document:
    """The document with its columns as cells; TeX has tables of its own, and its spaces say nothing."""
    if document.path.endswith(".tex"):
        return document
    numbers = count(1 + max((block.cell.table for block in document.blocks if block.cell), default=0))
    blocks = [one for block in document.blocks for one in _cut(document, block, numbers)]
    return replace(document, blocks=tuple(_with_labels(blocks)))


def _cut(document: Document, block: Block, numbers: Iterator[int]) -> Iterator[Block]:
    """A block cut into what stands in columns, as cells, and what does not."""
    program = block.kind != "prose" and (block.kind != "code" or block.language or block.notebook_cell)
    if program or "\n" not in block.text or block.text.count("\n") > MOST_LINES:
        yield block
        return
    start = 0
    for first, end, rows in _tables(document, block):
        if block.text[start:first].strip():
            yield block.part(start, first).part(0, len(block.text[start:first].rstrip()))
        table, head = next(numbers), not any(_DIGIT.search(block.text[a:b]) for _, a, b in rows[0])
        for number, row in enumerate(rows, not head):
            for column, a, b in row:
                place = TableCell(table, number, column)
                yield replace(block.part(a, b), kind="cell", language="", cell=place)
        start = end + 1
    if block.text[start:].strip():
        yield block.part(start, len(block.text)) if start else block


def _tables(document: Document, block: Block) -> Iterator[tuple[int, int, list[list[Cell]]]]:
    """Where lines stand that follow each other and are cut into the same columns, and their cells."""
    lines, at = list[Span](), 0
    for line in block.text.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    for in_columns, some in groupby(lines, lambda line: _is_cut(block.text[slice(*line)])):
        run = list(some)
        if in_columns and len(run) > 1:
            rows = _rows(document, block, [one for one in run if set(block.text[slice(*one)]) - _RULE])
            if len({column for row in rows for column, *_ in row}) > 1:
                yield run[0][0], run[-1][1], rows


def _is_cut(line: str) -> bool:
    """Whether a line has something behind a gap, or is a rule between such lines."""
    return bool(_APART.search(line.strip(" "))) or (len(line) > 2 and not set(line) - _RULE)


def _rows(document: Document, block: Block, lines: Sequence[Span]) -> list[list[Cell]]:
    """The cells of each line: by their order where signs keep them apart, else by where they stand."""
    signs = next((sign for sign in "\t|" if all(sign in block.text[a:b] for a, b in lines)), "")
    cut = [list(_pieces(block.text, a, b, signs)) for a, b in lines]
    if signs:
        return [[(n, a, b) for n, (a, b) in enumerate(row) if a < b] for row in cut]
    placed = [[(_column(document, block, a), a, b) for a, b in row] for row in cut]
    ends = _columns([(at, at + b - a) for row in placed for at, a, b in row])
    found = list[list[Cell]]()
    for row in placed:
        of = groupby(row, lambda cell: sum(at <= cell[0] for at in ends) - 1)
        cells = [(column, list(same)) for column, same in of]
        found.append([(column, same[0][1], same[-1][2]) for column, same in cells])
    return found


def _pieces(text: str, start: int, end: int, sign: str) -> Iterator[Span]:
    """What stands between the gaps of a line, or between its signs; there it may be nothing."""
    gaps = re.finditer(re.escape(sign), text[start:end]) if sign else _APART.finditer(text, start, end)
    shift = start if sign else 0
    edges = [start, *(edge + shift for gap in gaps for edge in gap.span()), end]
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        bare = text[a:b].strip()
        left = a + text[a:b].find(bare) if bare else b
        if bare or sign:
            yield left, left + len(bare)


def _column(document: Document, block: Block, at: int) -> int:
    """How far from the beginning of its line in the file a character stands."""
    offset = block.offsets[at]
    begin = document.text.rfind("\n", 0, offset) + 1
    return len(document.text[begin:offset].expandtabs(_TAB))


def _columns(spans: Sequence[Span]) -> list[int]:
    """Where columns begin: what stands above or below each other, as far as it overlaps, is one."""
    found, until = list[int](), -1
    for start, end in sorted(spans):
        if start >= until:
            found.append(start)
        until = max(until, end)
    return found


def _with_labels(blocks: Sequence[Block]) -> Iterator[Block]:
    """These blocks, with a question and a part of it in the first two cells of a row as one label."""
    for table, some in groupby(blocks, lambda block: block.cell.table if block.cell else 0):
        cells = list(some)
        cells = [*_one_below_the_other(cells)] if table else cells
        yield from _one_label(cells) if table and _in_two(cells) else cells


def _one_below_the_other(cells: Sequence[Block]) -> Iterator[Block]:
    """The cells of a table; where its heads come twice, those of the second half behind the first."""
    heads = [block.text.strip().casefold() for block in cells if block.cell and block.cell.row == 0]
    half = len(heads) // 2
    if not half or len(heads) % 2 or heads[:half] != heads[half:] or half == 1:
        yield from cells
        return
    for second in (False, True):
        for block in cells:
            if (cell := block.cell) is not None and (cell.column >= half) == second:
                yield replace(block, cell=replace(cell, column=cell.column - half * second))


def _in_two(cells: Sequence[Block]) -> bool:
    """Whether a table has its questions in the first column and their parts in the second."""
    body = [(b.cell.column, b.text) for b in cells if b.cell and b.cell.row and b.text.strip()]
    first, second = ([text for at, text in body if at == column] for column in (0, 1))
    numbered = all(_QUESTION.fullmatch(text) for text in first)
    return bool(first and second) and numbered and all(_PART.fullmatch(text) for text in second)


def _one_label(cells: Sequence[Block]) -> Iterator[Block]:
    """The cells with each label in the first column; a question stands for the rows below it too."""
    question: Block | None = None
    for block, behind in zip(cells, (*cells[1:], None), strict=True):
        cell, part = block.cell, _PART.fullmatch(block.text)
        if cell is None or cell.row == 0 or cell.column > 1 or not block.text.strip():
            yield block
        elif cell.column == 0:
            question = block
            same = behind is not None and behind.cell is not None and behind.cell.row == cell.row
            if not (same and behind and behind.cell and behind.cell.column == 1 and behind.text.strip()):
                yield block
        elif question is not None and part is not None:
            text, place = question.text + part[1], block.offsets[0]
            offsets = (*[place] * len(text), block.offsets[-1])
            yield replace(block, text=text, offsets=offsets, marks=(), cell=replace(cell, column=0))
