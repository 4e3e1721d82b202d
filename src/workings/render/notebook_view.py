"""A document as a notebook's cells: formulas that code works out again, figures within the page."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from typing import Any

from workings.document.blocks import (
    Bars,
    Chain,
    Code,
    Document,
    Gantt,
    Strips,
    Table,
    Worked,
    walk,
)
from workings.render.environment import render
from workings.render.notebook import source_of
from workings.render.view import View, figure_values, one_line
from workings.values.call import quoted

_DARK = re.compile(r"@media [^{]*\(prefers-color-scheme: dark\) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


class NotebookView(View):
    """Blocks with the code that gives their numbers."""

    def document(self, document: Document) -> dict[str, Any]:
        """With what the code needs beside it."""
        calls = [call for block in walk(document.blocks) for call in getattr(block, "calls", ())]
        files = dict.fromkeys(c.at for c in calls if c.at and c.scenario and c.scenario.file == c.at)
        files |= dict.fromkeys([document.derivations] if document.derivations else [])
        return super().document(document) | {
            "coded": bool(calls), "files": [self.writer.line((Code(name),)) for name in sorted(files)],
            "derivations": quoted(document.derivations) if document.derivations else "",
        }  # fmt: skip

    def mathematics(self, block: Chain | Worked) -> dict[str, Any]:
        """A worked formula: its lines are what the code below it gives, and stand there once."""
        made = super().mathematics(block)
        code = source_of(block.calls) if isinstance(block, Worked) else ""
        return made | {"code": code, "steps": [] if code else made["steps"]}

    def table(self, block: Table) -> dict[str, Any]:
        """With the code that gives one of its columns."""
        return super().table(block) | {"code": source_of(block.calls)}

    def figure(self, block: Bars | Gantt | Strips) -> dict[str, Any]:
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
