"""Inline pieces as GitHub's Markdown."""

from __future__ import annotations

import re
from typing import Any

from workings.document.blocks import (
    Break,
    Code,
    Document,
    Emphasis,
    Image,
    Inline,
    Line,
    Link,
    Math,
    Number,
    Reference,
    Strong,
    Text,
    slug,
)
from workings.document.wording import wording
from workings.errors import UserError
from workings.formula import latex
from workings.formula.readings.latex import box_latex
from workings.formula.readings.typeset import Box
from workings.formula.readings.typeset import number as typeset_number

SPECIAL = re.compile(r"([\\`*_\[\]<>$|~]|&(?=[#A-Za-z]))")
_OPENING = re.compile(r"^(\d+(?=[.)](?:\s|$))|)([-+#=.)])", re.MULTILINE)
_BARE_PIPE = re.compile(r"(?<!\\)\|")
_NOT_IN_TEXT = re.compile(r"[\\{}$%#&_^~]")
KINDS = {"equation": "eq", "table": "table", "figure": "figure"}


class MarkdownWriter:
    """Words with Markdown's own signs escaped, formulas between $` and `$."""

    ending = "md"

    def __init__(self, document: Document) -> None:
        self.document = document
        self.words = wording(document.cover.language)

    def line(self, line: Line) -> str:
        """A paragraph's text; a sign that would open a list or heading is escaped."""
        return _OPENING.sub(r"\1\\\2", self._join(line))

    def cell(self, line: Line) -> str:
        """A table cell: one line, no bare |."""
        return _BARE_PIPE.sub(r"\\|", self._join(line).replace("\\\n", " "))

    fitted = cell  # pages scroll

    def reason(self, line: Line) -> str:
        """Words inside display mathematics, formulas among them."""
        parts = []
        for piece in line:
            if isinstance(piece, Text):
                parts.append(rf"\text{{{in_text(piece.text)}}}")
            elif isinstance(piece, Math):
                parts.append(latex(piece.formula, units=piece.units, inline=True))
            else:
                raise UserError(f"a reason can hold words and formulas, found {piece}")
        return " ".join(parts)

    def formula(self, box: Box) -> str:
        """A formula of display mathematics, or a part of one."""
        return box_latex(box)

    def label(self, kind: str, label: str) -> str:
        """What a reference leads to."""
        return anchor(kind, label)

    def picture(self, image: Image) -> str:
        """The file of a picture."""
        return image.file

    def drawn(self, values: dict[str, Any]) -> dict[str, Any]:
        """The words of a figure as they are: its template escapes them."""
        return values

    def verbatim(self, text: str) -> str:
        """Text for a code fence."""
        return text.replace("```", "` ` `").rstrip("\n")

    def _join(self, line: Line) -> str:
        return "".join(self._piece(piece) for piece in line)

    def _piece(self, piece: Inline) -> str:
        match piece:
            case Text(text):
                return self._text(text)
            case Strong(inside):
                return f"**{self._join(inside)}**"
            case Emphasis(inside):
                return f"*{self._join(inside)}*"
            case Code(text):
                return _code(text)
            case Math(formula, units):
                return self._math(latex(formula, units=units, inline=True))
            case Number(digits, unit):
                if "e" in digits:
                    return self._math(box_latex(typeset_number(digits, unit)))
                return digits if unit == "1" else f"{digits} {unit}"
            case Reference(label, inside):
                return self._reference(label, self._join(inside))
            case Link(inside, address):
                return f"[{self._join(inside)}]({address})"
            case Break():
                return "\\\n"

    def _text(self, text: str) -> str:
        return SPECIAL.sub(r"\\\1", text)

    def _math(self, tex: str) -> str:
        return f"$`{tex}`$"

    def _reference(self, label: str, words: str) -> str:
        """A link to what is numbered, by its number or in words; words stay alone where nothing is."""
        if words and label not in self.document.numbers:
            return words
        kind, count = self.document.numbers[label]
        word = self.words.get(f"ref_{kind}", kind)
        shown = words or (f"({count})" if kind == "equation" else f"{word} {count}")
        file = self.document.elsewhere.get(label)
        return f"[{shown}]({f'{file}.{self.ending}' if file else ''}#{anchor(kind, label)})"


def _code(text: str) -> str:
    """Text between more backticks than it holds in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    gap = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{gap}{text}{gap}{fence}"


def in_text(text: str) -> str:
    """Words that may stand in \\text{…}. Raises UserError for signs that TeX would read."""
    if found := _NOT_IN_TEXT.search(text):
        raise UserError(f"a reason holds {found.group()!r} in {text!r}: put formulas in backticks")
    return text


def anchor(kind: str, label: str) -> str:
    """The fragment that a reference leads to."""
    return f"{KINDS[kind]}-{slug(label)}"
