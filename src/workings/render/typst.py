"""Inline pieces as Typst code: every text from outside is a string, so nothing of it is ever markup."""

from __future__ import annotations

import re
from typing import Any
from unicodedata import category

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
from workings.formula.readings.linear import box_linear
from workings.formula.readings.typeset import Box, typeset
from workings.formula.readings.typeset import number as typeset_number
from workings.formula.readings.typst import box_typst, string
from workings.render.breaking import parts_of
from workings.render.unprintable import UnprintableError

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
# What shows nowhere and may stand in a text: a soft hyphen, joiners, marks of direction, a variant.
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\ufe0e\ufe0f\n\t")


class TypstWriter:
    """A line as one expression of Typst's code: a string, a call, or a block that joins such."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.words = wording(document.cover.language)

    def line(self, line: Line) -> str:
        """Running text."""
        return _block([self._piece(piece) for piece in line if piece != Text("")])

    def cell(self, line: Line) -> str:
        """A table cell."""
        return self.line(line)

    def fitted(self, line: Line) -> str:
        """A formula in a column: it breaks at its operators."""
        return self.line(line)

    def reason(self, line: Line) -> str:
        """Words beside display mathematics."""
        return self.line(line)

    def formula(self, box: Box) -> str:
        """A formula of display mathematics, or a part of one."""
        return _mathematics("d", box)

    def label(self, kind: str, label: str) -> str:
        """What references lead to, from other files too."""
        return f"{kind}-{slug(label)}"

    def picture(self, image: Image) -> str:
        """A picture as its bytes: no file is read."""
        if image.kind == "svg":
            return f'bytes({string(image.data.decode("utf-8"))}), format: "svg"'
        numbers = ", ".join(map(str, image.data))
        return f'bytes(({numbers},)), format: "{image.kind.replace("jpeg", "jpg")}"'

    def drawn(self, values: dict[str, Any]) -> dict[str, Any]:
        """The words of a figure as its template sets them between quotes."""
        return {name: _quoted(value) for name, value in values.items()}

    def verbatim(self, text: str) -> str:
        """Lines of typewriter text."""
        return quoted(text.rstrip("\n"))

    def _piece(self, piece: Inline) -> str:
        match piece:
            case Text(text):
                return quoted(_APOSTROPHE.sub("’", text))
            case Strong(inside):
                return f"strong({self._inside(inside)})"
            case Emphasis(inside):
                return f"emph({self._inside(inside)})"
            case Code(text):
                return _block([f"raw({quoted(part)})" for part in parts_of(text)], "; cut; ")
            case Math(formula, units):
                return _mathematics("m", typeset(formula, units=units, inline=True))
            case Number(digits, unit):
                return _number(digits, unit)
            case Reference(label, inside):
                return self._reference(label, inside)
            case Link(inside, address):
                return f"link({quoted(address)}, {self._inside(inside)})"
            case Break():
                return "linebreak()"

    def _inside(self, line: Line) -> str:
        """Running text as the argument of a call."""
        return self.line(line) or '""'

    def _reference(self, label: str, inside: Line) -> str:
        """A number that leads to what has it, or words that do; words stay alone where nothing is."""
        if inside and label not in self.document.numbers:
            return self._inside(inside)
        kind, count = self.document.numbers[label]
        word = self.words.get(f"ref_{kind}", kind)
        name, file = self.label(kind, label), self.document.elsewhere.get(label)
        place = f'label("{name}")' if file is None else quoted(f"{file}.pdf#{name}")
        return f"link({place}, {self._inside(inside)})" if inside else f'to({place}, "{word}", "{count}")'


def _block(pieces: list[str], between: str = "; ") -> str:
    """One expression of several."""
    if len(pieces) < 2:
        return pieces[0] if pieces else ""
    return f"{{{between.join(pieces)}}}"


def _number(digits: str, unit: str) -> str:
    if "e" in digits:
        return _mathematics("m", typeset_number(digits, unit))
    return quoted(digits if unit == "1" else f"{digits}\u00a0{unit}")


def _mathematics(function: str, box: Box) -> str:
    """A formula with what is said where it cannot be seen."""
    return f"{function}({string(box_linear(box))}, ${box_typst(box)}$)"


def quoted(text: str) -> str:
    """A text as a string of Typst. Raises UnprintableError for signs that would act unseen."""
    for sign in text:
        if category(sign) in ("Cc", "Cf", "Cs") and sign not in _UNSEEN:
            raise UnprintableError(sign, f"PDF output cannot print U+{ord(sign):04X}, a sign of control")
    return string(text)


def _quoted(value: Any) -> Any:
    """Every text of a figure, to stand between quotes."""
    if isinstance(value, str):
        return quoted(value)[1:-1]
    if isinstance(value, dict):
        return {name: _quoted(one) for name, one in value.items()}
    return [_quoted(one) for one in value] if isinstance(value, list) else value
