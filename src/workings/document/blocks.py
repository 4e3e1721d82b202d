"""What a document is made of: blocks, without a word about any format; and of what these are made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from workings.document import made_of
from workings.document.cover import Cover
from workings.document.drawn import Bars, Gantt, Lines, Strips
from workings.document.pieces import (
    Break,
    Code,
    Emphasis,
    Inline,
    Line,
    Link,
    Math,
    Number,
    Reference,
    Strong,
    Text,
)
from workings.formula import Expr, Formula
from workings.values.desk import Desk

if TYPE_CHECKING:
    from workings.grade.file import KeyFile

__all__ = [
    "Answer", "Bars", "Block", "Break", "Chain", "Code", "Display", "DisplayLine", "Document", "Emphasis",
    "Gantt", "Heading", "Hints", "Image", "Inline", "Items", "Line", "Lines", "Link", "Math", "Meaning",
    "Note", "Number", "Part", "Prose", "Question", "Reference", "Section", "Solution", "Strips", "Strong",
    "Table", "Text", "Verbatim", "Worked", "slug", "walk",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 4."""

    level: int
    line: Line


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    line: Line


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item is a few blocks."""

    items: tuple[tuple[Block, ...], ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text kept as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark set apart: `note`, `warning`, `takeaway`, or a `hint` for who asks for it."""

    kind: str
    title: Line
    inside: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class DisplayLine:
    """A line of display mathematics: what stands left, the relation, the formula, the reason.

    `over` is set above the relation (letters that grow); `least` and `at` mark a minimum.
    """

    left: Expr | None
    relation: str
    formula: Formula
    reason: Line = ()
    over: tuple[str, ...] = ()
    least: str = ""
    at: Expr | None = None
    units: bool = False


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a letter stands for in a formula, and its unit."""

    letter: str
    words: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Display:
    """Lines of display mathematics without a number; `wrong`: one of them is, on purpose."""

    steps: tuple[DisplayLine, ...]
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Hints:
    """Hints that build on each other, each for who asks for one more."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture from a file; without a caption it has no number. `share` is of the width of a line."""

    label: str
    number: int
    caption: Line
    alternative: str
    file: str
    kind: str  # png, jpeg or svg
    data: bytes = field(repr=False)
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Chain:
    """A numbered derivation with what it rests on; `entry` is its id in the catalogue."""

    label: str
    number: int
    title: Line
    steps: tuple[DisplayLine, ...]
    before: tuple[Line, ...] = ()
    footer: tuple[Line, ...] = ()
    entry: str = ""
    standing: str = ""  # `Proved, counted a second way`
    letters: tuple[Meaning, ...] = ()
    where: Line = ()  # what the letters mean that stand here for the first time


@dataclass(frozen=True, slots=True)
class Worked:
    """A numbered formula with numbers put in: symbolic, substituted, value."""

    label: str
    number: int
    title: Line
    steps: tuple[DisplayLine, ...]
    letters: tuple[Meaning, ...] = ()
    source: made_of.InNumbers | made_of.Used | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption; `align` holds l, r or c for each column; bold rows by index.

    A `w` is a column of words or formulas that may break into lines where lines are of one width. A
    `long` table may break between rows where pages end; any other stays on one page.
    """

    label: str
    number: int
    caption: Line
    align: str
    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    bold: tuple[int, ...] = ()
    long: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; `room` lines are left for an answer on a sheet."""

    name: str
    inside: tuple[Block, ...]
    room: int
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the question `of` this name, or what answers it in a solution (then `of` is empty)."""

    name: str
    inside: tuple[Block, ...]
    room: int
    points: float
    of: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question in its solution: what was asked for, its value and what it earns.

    `part` is the part of the question where no heading says it, `note` what is said beside the value,
    and `rubric` the lines by which a person marks it, each with its points.
    """

    part: str
    words: Line
    value: Line
    points: float
    note: Line = ()
    rubric: tuple[tuple[Line, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """What a question sheet leaves out."""

    inside: tuple[Block, ...]


Block: TypeAlias = (
    Heading
    | Prose
    | Items
    | Verbatim
    | Note
    | Display
    | Hints
    | Image
    | Chain
    | Worked
    | Table
    | Bars
    | Gantt
    | Strips
    | Lines
    | Question
    | Part
    | Answer
    | Solution
)


@dataclass(frozen=True, slots=True)
class Section:
    """What may be a page of its own, with the name of its file; the first, without one, comes before."""

    name: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title and blocks; `numbers` gives the kind and number behind every label.

    `unchecked` is why the checker leaves the pages alone, if it does. `sections` are the same blocks
    where they are to be pages of their own, and `elsewhere` names the file of what stands in another.
    `derivations` is the folder of formulas of its own, beside the source, `desk` where numbers whose
    source is known were worked out, `glyphs` the letters in which it writes them: those of a `notation`,
    and its own. `folded`: where a format can, sections are folded, but for what stands before the first.
    `general`: what its words state does not rest on the values at hand, as they tell of a formula.
    `cover` is what stands on top, and `key` is the answer key of the page, if its source asks for
    answers. `remarks` are sentences on what its author may want to look at.
    """

    title: Line
    blocks: tuple[Block, ...]
    numbers: Mapping[str, tuple[str, int]]
    unchecked: str = ""
    sections: tuple[Section, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    derivations: str = ""
    desk: Desk | None = field(default=None, compare=False, repr=False)
    notation: str | None = None
    glyphs: Mapping[str, str] = field(default_factory=dict)
    folded: bool = False
    general: bool = False
    cover: Cover = field(default_factory=Cover)
    key: KeyFile | None = field(default=None, compare=False, repr=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)


def walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Blocks in order, each before those that it holds."""
    for block in blocks:
        yield block
        if isinstance(block, Note | Question | Part | Solution):
            yield from walk(block.inside)
        elif isinstance(block, Items):
            for item in block.items:
                yield from walk(item)


def slug(label: str) -> str:
    """A label as both formats' anchors spell it: letters, digits and hyphens."""
    return re.sub(r"[^A-Za-z0-9]+", "-", label)
