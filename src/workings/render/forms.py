"""The formats of documents: a folder of templates and a writer each.

A new format is a writer, a folder with a macro for each block, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from workings.document.blocks import Document, Image, Line
from workings.formula.readings.typeset import Box
from workings.render.html import HtmlWriter
from workings.render.html_view import HtmlView
from workings.render.latex import LatexWriter
from workings.render.markdown import MarkdownWriter
from workings.render.notebook import NotebookWriter, notebook
from workings.render.notebook_view import NotebookView
from workings.render.typst import TypstWriter
from workings.render.view import View


class Writer(Protocol):
    """Inline pieces as text of one format."""

    def line(self, line: Line) -> str:
        """A line of running text."""

    def cell(self, line: Line) -> str:
        """A line inside a table."""

    def fitted(self, line: Line) -> str:
        """A formula inside a table, no wider than its column."""

    def reason(self, line: Line) -> str:
        """A line beside display mathematics."""

    def formula(self, box: Box) -> str:
        """A part of display mathematics."""

    def verbatim(self, text: str) -> str:
        """Text kept as it is."""

    def label(self, kind: str, label: str) -> str:
        """What references to an equation, a table or a figure lead to."""

    def picture(self, image: Image) -> str:
        """Where a picture is taken from: its file, or an address or code that holds it."""

    def drawn(self, values: dict[str, Any]) -> dict[str, Any]:
        """The texts of a figure, where its template does not escape them."""


@dataclass(frozen=True, slots=True)
class Form:
    """A format: the folder of its templates, the one of a whole document, and what writes words.

    `beside`: figures are files of their own, and `files`: pictures. `pages`: sections may be, too.
    `whole`: one derivation is a page by itself, not a fragment. `folds`: sections of a document may be
    folded. `view` is how blocks become plain values, and `finish` makes the file of what the template
    gives. `bound`: the text is the source of what is written, which a press makes.
    """

    folder: str
    template: str
    writer: Callable[[Document], Writer]
    beside: bool = False
    files: bool = False
    pages: bool = False
    whole: bool = False
    folds: bool = False
    view: type[View] = View
    finish: Callable[[Document, str], str] | None = None
    bound: bool = False


# By the ending of the file.
FORMS: Mapping[str, Form] = {
    "md": Form("markdown", "document.md", MarkdownWriter, beside=True, files=True, pages=True),
    "tex": Form("latex", "document.tex", LatexWriter, files=True),
    "html": Form("html", "document.html", HtmlWriter, pages=True, whole=True, folds=True, view=HtmlView),
    "ipynb": Form(
        "notebook", "document.md", NotebookWriter, pages=True, view=NotebookView, finish=notebook
    ),
    "typ": Form("typst", "document.typ", TypstWriter),
    "pdf": Form("typst", "document.typ", TypstWriter, bound=True),
}
