"""A document as a notebook's cells: formulas that code works out again, figures within the page."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any

from workings.document.blocks import (
    Bars,
    Block,
    Chain,
    Code,
    Document,
    Gantt,
    Image,
    Items,
    Lines,
    Note,
    Strips,
    Table,
    Worked,
)
from workings.render.environment import render
from workings.render.notebook import source_of
from workings.render.view import View, figure_values, one_line
from workings.values.call import Call, quoted

_DARK = re.compile(r"@media [^{]*\(prefers-color-scheme: dark\) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


class NotebookView(View):
    """Blocks with the code that gives their numbers, and whether they may stand in a cell of their own.

    What a list or a note holds stays in its cell, numbers and all: a notebook runs whole cells.
    """

    inside = 0  # how many lists and notes
    calls: tuple[Call, ...] = ()  # so far

    def block(self, block: Block) -> dict[str, Any]:
        """A block, and whether it stands by itself."""
        holds = isinstance(block, Items | Note)
        self.inside += holds
        made = super().block(block)
        self.inside -= holds
        return made | {"alone": not self.inside}

    def document(self, document: Document) -> dict[str, Any]:
        """With what the code needs beside it."""
        made = super().document(document)
        files = {call.at for call in self.calls if call.at and Path(call.at).suffix}
        files |= {document.derivations} - {""}
        return made | {
            "coded": bool(self.calls),
            "files": [self.writer.line((Code(name),)) for name in sorted(files)],
            "derivations": quoted(document.derivations) if document.derivations else "",
        }  # fmt: skip

    def mathematics(self, block: Chain | Worked) -> dict[str, Any]:
        """A worked formula: its lines are what the code below it gives, and stand there once."""
        made = super().mathematics(block)
        code = self.code(block) if isinstance(block, Worked) else ""
        return made | {"code": code, "steps": [] if code else made["steps"]}

    def table(self, block: Table) -> dict[str, Any]:
        """With the code that gives one of its columns."""
        return super().table(block) | {"code": self.code(block)}

    def code(self, block: Worked | Table) -> str:
        """What a cell below the block runs; nothing where there can be none."""
        if self.inside:
            return ""
        self.calls += block.calls
        return source_of(block.calls)

    def image(self, block: Image) -> dict[str, Any]:
        """With words that may stand between quotes of HTML."""
        return super().image(block) | {"alternative": _attribute(block.alternative)}

    def figure(self, block: Bars | Gantt | Strips | Lines) -> dict[str, Any]:
        """As an address that holds the drawing: Jupyter refuses attachments of this kind."""
        template, values = figure_values(block)
        drawing = _on_paper(render("figures", template, values, self.templates))
        address = f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
        return super().figure(block) | {"address": address, "alternative": _attribute(block.alternative)}


def _attribute(text: str) -> str:
    """A text between double quotes of HTML in Markdown, with no sign from which mathematics begins."""
    return escape(one_line(text)).replace("$", "&#36;").replace("\\", "&#92;")


def _on_paper(drawing: str) -> str:
    """A drawing on white: a notebook is light or dark whatever the colours of the system are."""
    return _DARK.sub("", drawing).replace("<svg ", '<svg style="background: #ffffff" ', 1)
