"""What a question says, as HTML with LaTeX formulas, and the pictures in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from typing import Any

from markupsafe import Markup

from workings.document.blocks import (
    Bars,
    Block,
    Document,
    Gantt,
    Hints,
    Image,
    Inline,
    Line,
    Lines,
    Math,
    Note,
    Number,
    Reference,
    Strips,
    Text,
)
from workings.document.wording import wording
from workings.formula import latex
from workings.formula.readings.latex import box_latex
from workings.formula.readings.typeset import Box
from workings.formula.readings.typeset import number as typeset_number
from workings.render.environment import render
from workings.render.html import HtmlWriter
from workings.render.markdown import MarkdownWriter
from workings.render.view import View, figure_values

_MARK = "\ue000"  # stands around the name of a picture until a system's address of it is known
_MARKED = re.compile(f"{_MARK}([0-9a-f]{{16}}\\.[a-z]{{3,4}}){_MARK}")
# What begins a formula for the scripts that set them: words must not.
_BEGINS_A_FORMULA = re.compile(r"\\(?=[(\[]|begin)|\$")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a question: its name is that of its content."""

    name: str
    data: bytes = field(repr=False)
    alternative: str
    percent: int = 100


@dataclass(frozen=True, slots=True)
class Prompt:
    """HTML, pictures between its pieces; `hints` are told to who asks for one more, in order."""

    pieces: tuple[str | Picture, ...] = ()
    hints: tuple[str, ...] = ()

    def __add__(self, other: Prompt) -> Prompt:
        return Prompt(self.pieces + other.pieces, self.hints + other.hints)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Each picture once."""
        found = {one.name: one for one in self.pieces if isinstance(one, Picture)}
        return tuple(found.values())

    def html(self, address: Callable[[Picture], str]) -> str:
        """The HTML with each picture at its address."""
        return self.written(lambda one: f'<img src="{escape(address(one))}" '
                            f'alt="{escape(one.alternative)}" width="{one.percent}%">')  # fmt: skip

    def written(self, tag: Callable[[Picture], str]) -> str:
        """The HTML with an element for each picture."""
        return "".join(tag(one) if isinstance(one, Picture) else one for one in self.pieces)


def said(html: str) -> Prompt:
    """A prompt of HTML that is known to be safe."""
    return Prompt((html,))


def words_html(text: str) -> str:
    """Words from outside as HTML in which nothing is markup or a formula."""
    kept = escape(text.replace(_MARK, "\ufffd"))
    return _BEGINS_A_FORMULA.sub(lambda found: f"<span>{found[0]}</span>", kept)


def prompt_of(document: Document, blocks: tuple[Block, ...]) -> Prompt:
    """Some blocks of a document as a prompt."""
    writer = _PromptWriter(document)
    view = _PromptView(writer)
    view.words = wording(document.cover.language)
    page = view.blocks(blocks)
    html = render("courses", "prompt.html", {"page": page, "words": view.words})
    split = _MARKED.split(html.strip())
    pieces = [writer.pictures.get(one, one) if n % 2 else one for n, one in enumerate(split)]
    return Prompt(tuple(one for one in pieces if one), tuple(view.hints))


class _PromptWriter(HtmlWriter):
    """Words as HTML, formulas as LaTeX between the signs that every system's script looks for."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.program = None  # nothing follows inputs here
        self.pictures: dict[str, Picture] = {}
        self._reasons = MarkdownWriter(document)

    def formula(self, box: Box) -> str:
        """A part of display mathematics."""
        return escape(box_latex(box), quote=False)

    def reason(self, line: Line) -> str:
        """Words inside display mathematics."""
        return escape(self._reasons.reason(line), quote=False)

    def picture(self, image: Image) -> str:
        """Where a picture goes."""
        percent = round(100 * image.share)
        return self.placed(image.data, image.kind, image.alternative, percent)

    def placed(self, data: bytes, kind: str, alternative: str, percent: int = 100) -> str:
        """Keep a picture, and the mark in its place."""
        name = f"{sha256(data).hexdigest()[:16]}.{kind}"
        self.pictures[name] = Picture(name, data, " ".join(alternative.split()), percent)
        return Markup(f"{_MARK}{name}{_MARK}")  # noqa: S704 - hexadecimal digits

    def _piece(self, piece: Inline) -> str:
        match piece:
            case Text(text):
                return words_html(text)
            case Math(formula, units):
                return _inline(latex(formula, units=units, inline=True))
            case Number(digits, unit):
                if "e" in digits:
                    return _inline(box_latex(typeset_number(digits, unit)))
                return escape(digits if unit == "1" else f"{digits}\u00a0{unit}")
            case Reference(label, inside):
                return self._reference(label, self._join(inside))
            case _:
                return super()._piece(piece)

    def _reference(self, label: str, words: str) -> str:
        """The number of what stands elsewhere: there is no page for it to lead to."""
        if words or label not in self.document.numbers:
            return words
        kind, count = self.document.numbers[label]
        word = self.words.get(f"ref_{kind}", kind)
        return f"({count})" if kind == "equation" else f"{word}\u00a0{count}"


class _PromptView(View):
    """Blocks for a quiz: drawings are pictures, and hints are kept apart."""

    def __init__(self, writer: _PromptWriter) -> None:
        super().__init__(writer, sheet=True)
        self.prompt = writer
        self.hints: list[str] = []

    def blocks(self, blocks: tuple[Block, ...]) -> list[dict[str, Any]]:
        """Blocks as dictionaries, without solutions and hints."""
        kept: list[Block] = []
        for block in blocks:
            if isinstance(block, Hints):
                self.hints += [str(self.writer.line(line)) for line in block.lines]
            elif isinstance(block, Note) and block.kind == "hint":
                self.hints.append(self._html(block.inside))
            else:
                kept.append(block)
        return super().blocks(tuple(kept))

    def figure(self, block: Bars | Gantt | Strips | Lines) -> dict[str, Any]:
        """A drawing as a picture."""
        template, values = figure_values(block)
        data = render("figures", template, values).encode()
        return super().figure(block) | {
            "kind": "image", "source": self.prompt.placed(data, "svg", block.alternative),
        }  # fmt: skip

    def _html(self, blocks: tuple[Block, ...]) -> str:
        values: Mapping[str, Any] = {"page": self.blocks(blocks), "words": self.words}
        return _MARKED.sub("", render("courses", "prompt.html", values)).strip()


def _inline(tex: str) -> str:
    return rf"\({escape(tex, quote=False)}\)"
