"""What stands inside a line of a document: words, formulas, numbers, links."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from workings.document import made_of
from workings.formula import Formula


@dataclass(frozen=True, slots=True)
class Text:
    """Plain words; a `source` says from what they follow, as it does of numbers."""

    text: str
    source: made_of.Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Strong:
    """Words set in bold."""

    inside: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Words set in italics."""

    inside: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Verbatim text."""

    text: str


@dataclass(frozen=True, slots=True)
class Math:
    """A formula; `units` shows the units of its literals."""

    formula: Formula
    units: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its unit, kept together; `source` is what it was worked out from, if known."""

    number: str
    unit: str = "1"
    source: made_of.Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """The number of an equation, table or figure elsewhere; or words that lead there, if it is there."""

    label: str
    inside: tuple[Inline, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to an address."""

    inside: tuple[Inline, ...]
    address: str


@dataclass(frozen=True, slots=True)
class Break:
    """A line break."""


Inline: TypeAlias = Text | Strong | Emphasis | Code | Math | Number | Reference | Link | Break
Line: TypeAlias = tuple[Inline, ...]
