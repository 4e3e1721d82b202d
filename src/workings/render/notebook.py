"""Inline pieces as the Markdown of Jupyter, and a page of it as a notebook: cells and outputs.

A template marks cells: a line `<!-- cell -->` begins one, and what stands between a line of three
backticks with `python run` behind it and the next such line is code. No text of a document can be either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from workings.document.blocks import Document, Image, walk
from workings.render.html import data_address
from workings.render.markdown import SPECIAL, MarkdownWriter
from workings.values.call import Call

CELL, CODE, END = "<!-- cell -->", "```python run", "```"
WIDTH = 79  # of a line of what Python prints of a list in a notebook
_BLANK = re.compile(r"\n{3,}")
# Jupyter looks for mathematics before it reads Markdown and again in what became of it, so that no
# backslash keeps it away. In an element of its own such a sign begins nothing.
_INERT = {"$": "<span>&#36;</span>", "\\": "<span>&#92;</span>"}


class NotebookWriter(MarkdownWriter):
    """As on GitHub, but with formulas between dollar signs alone."""

    ending = "ipynb"

    def picture(self, image: Image) -> str:
        """A picture as an address that holds it: Jupyter refuses attachments of this kind."""
        return data_address(image)

    def _text(self, text: str) -> str:
        return SPECIAL.sub(lambda sign: _INERT.get(sign[0], f"\\{sign[0]}"), text)

    def _math(self, tex: str) -> str:
        return f"${tex}$"


def source_of(calls: Sequence[Call]) -> str:
    """The code of a cell: a call, or a list of calls with one on each line."""
    if len(calls) == 1:
        return calls[0].python()
    rows = [f"    {call.python(width=None)}," for call in calls]
    return "\n".join(["[", *rows, "]"]) if rows else ""


def notebook(document: Document, text: str) -> str:
    """The cells of a page as nbformat 4.5, with what running them gives."""
    known = {source_of(block.calls): block.calls for block in _calling(document)}
    taken: dict[str, int] = {}
    made: list[dict[str, Any]] = []
    count = 0
    for is_code, source in _cells(text):
        count += is_code
        of_its_kind: dict[str, Any] = {"cell_type": "markdown"}
        if is_code:
            outputs = [_output(known[source], count)] if source in known else []
            of_its_kind = {"cell_type": "code", "execution_count": count, "outputs": outputs}
        name = _id(source, is_code, taken)
        made.append({"id": name, "metadata": {}, "source": _lines(source), **of_its_kind})
    return json.dumps(_whole(made), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def one_cell(text: str) -> str:
    """What a template gives as the Markdown of a single cell."""
    return "\n\n".join(source for _, source in _cells(text))


def _whole(cells: list[dict[str, Any]]) -> dict[str, Any]:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _calling(document: Document) -> Iterator[Any]:
    """The blocks that calls give again."""
    yield from (block for block in walk(document.blocks) if getattr(block, "calls", ()))


def _cells(text: str) -> Iterator[tuple[bool, str]]:
    """Each cell with words in it, and whether it is code."""
    rows: list[str] = []
    fence = ""
    for row in text.split("\n"):
        opening, closing = not fence and row.startswith(END), bool(fence) and row == END
        if (row == CELL and not fence) or (opening and row == CODE) or (closing and fence == CODE):
            if row != CELL or not _is_heading(rows):
                yield from _cell(fence == CODE, rows)
                rows = []
        else:
            rows.append(row)
        fence = row if opening else "" if closing else fence
    yield from _cell(is_code=False, rows=rows)


def _is_heading(rows: list[str]) -> bool:
    """Whether there is nothing yet but headings, which stand over something."""
    words = [row for row in rows if row]
    return bool(words) and all(row.startswith("#") for row in words)


def _cell(is_code: bool, rows: list[str]) -> Iterator[tuple[bool, str]]:
    source = _BLANK.sub("\n\n", "\n".join(rows)).strip("\n")
    if source.strip():
        yield is_code, source


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _id(source: str, is_code: bool, taken: dict[str, int]) -> str:
    """A name from what the cell says: it changes with that cell alone."""
    name = f"{'code' if is_code else 'text'}-{sha256(source.encode()).hexdigest()[:12]}"
    taken[name] = taken.get(name, 0) + 1
    return name if taken[name] == 1 else f"{name}-{taken[name]}"


def _output(calls: Sequence[Call], count: int) -> dict[str, Any]:
    """What a notebook shows of the last line of a cell: a result typeset, or a list of several."""
    done = [call.worked() for call in calls]
    if len(done) == 1:
        data = {"text/latex": _lines(done[0]._repr_latex_()), "text/plain": _lines(repr(done[0]))}
    else:
        data = {"text/plain": _lines(_listed([repr(one) for one in done]))}
    return {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


def _listed(shown: Sequence[str]) -> str:
    """A list as a notebook prints it: on one line, or an element a line where it would be too long."""
    joined = ", ".join(shown)
    if len(joined) + 2 > WIDTH:
        joined = ",\n ".join(shown)
    return f"[{joined}]"
