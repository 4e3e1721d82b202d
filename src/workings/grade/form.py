"""An answer form that was filled in: what stands behind each label's colon, and the workings below it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from workings.grade.clauses import listed
from workings.grade.file import Part
from workings.grade.form_lines import Line, lines_of
from workings.grade.parts import Stretch
from workings.grade.quantities import letters_and_digits
from workings.reading.blocks import Block, Document
from workings.reading.endings import kind_of
from workings.reading.markdown import read_markdown
from workings.reading.outline import Outline
from workings.reading.placed import Placed, stored

HEAD = 400  # characters in which the first line stands
# What may stand before a label, as in a quote or in bold; a row of a table is no line of the form.
_MARKED = r"^[ \t>#-]{0,20}(?P<line>[*_]{0,4})"
_LABEL = _MARKED + r"(?P<label>[^\[\]［］:：\n|]{1,400})"
_SAID = r"(?P<said>[^\n]*)$"
_PLAIN = _MARKED + r"(?P<label>\(?\d{1,2}[ .]?\(?[a-z]?\)?)(?P<bracket>)[.)]?[ \t]+"
# How surely a line is one of the form: with bracket and colon, with the one, with the other, with none.
_SHAPES = (
    re.compile(_LABEL + r"[\[［](?P<bracket>[^\n]{0,200}?)[\]］][ \t*_`]{0,6}[:：]" + _SAID, re.M),
    re.compile(_LABEL + r"[\[［](?P<bracket>[^\[\]［］\n]{0,200})[\]］]" + _SAID, re.M),
    re.compile(_LABEL + r"[:：](?P<bracket>)" + _SAID, re.M),
    re.compile(_PLAIN + _SAID, re.M),
)
_ENDS = " \t\n.。"  # of an answer: `44.` is no label in it
_NAME = re.compile(r"\d+|[^\W\d_]+")


@dataclass(frozen=True)
class Field:
    """What stands in a form for one answer, if its line is `there`; `twice` with different answers."""

    there: bool = False
    answer: tuple[Block, ...] = ()
    workings: tuple[Block, ...] = ()
    bracket: str = ""
    twice: bool = False


@dataclass(frozen=True)
class Form:
    """A form read: its document holds only what was filled in, its fields by part and answer."""

    document: Document
    fields: Mapping[tuple[str, str], Field]

    @property
    def stretches(self) -> Mapping[str, Stretch]:
        """Everything of each part, in the order of the file."""
        blocks: dict[str, list[Block]] = {}
        for (part, _), field in self.fields.items():
            blocks.setdefault(part, []).extend((*field.answer, *field.workings))
        return {part: Stretch(_in_order(own)) for part, own in blocks.items()}

    def fields_of(self, part: str) -> Mapping[str, Field]:
        """The fields of a part by their answers."""
        return {answer: field for (id_, answer), field in self.fields.items() if id_ == part}


def _in_order(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(sorted(blocks, key=lambda block: block.offsets[0]))


@dataclass(frozen=True)
class _Begin:
    """Where a line of the form begins, and the rest of it, in the text."""

    line: Line
    start: int
    said: int
    end: int
    bracket: str


def read_form(document: Document, parts: Sequence[Part]) -> Form | None:
    """The form that a text is; None where it is another hand-in.

    It is one if it begins as a form does, or if half of its labels with brackets are there.
    """
    if kind_of(document.path) != "md":
        return None
    source, lines = stored(document.text), lines_of(parts)
    begins = _begins(source.text, lines)
    bracketed = {one.line.label for one in begins if one.bracket}
    if not begins or not (_is_headed(source.text) or 2 * len(bracketed) >= len(lines)):
        return None
    fields = {(line.part, line.answer.id): Field() for line in lines}
    outline = Outline(document.path)
    for begin, end in zip(begins, [*(one.start for one in begins[1:]), len(source)], strict=True):
        place = begin.line.part, begin.line.answer.id
        fields[place] = _together(fields[place], _field(begin, end, source, outline))
    blocks = _in_order(b for field in fields.values() for b in (*field.answer, *field.workings))
    return Form(replace(document, blocks=blocks, front={}, comments=()), fields)


def _is_headed(text: str) -> bool:
    start = text[:HEAD].lstrip(" \t\n#*_>").casefold()
    return any(start.startswith(words) for words in listed("form"))


def _begins(text: str, lines: Sequence[Line]) -> list[_Begin]:
    """The lines of the form in a text: of each label those that have most of its shape."""
    named = {_name(line.label): line for line in lines}
    found: dict[Line, list[_Begin]] = {}
    for shape in _SHAPES:
        here = [
            _Begin(line, one.start("line"), one.start("said"), one.end(), one["bracket"])
            for one in shape.finditer(text) if (line := named.get(_name(one["label"])))
        ]  # fmt: skip
        for line in {one.line for one in here} - set(found):
            found[line] = [one for one in here if one.line == line]
    return sorted((one for begins in found.values() for one in begins), key=lambda one: one.start)


def _name(label: str) -> tuple[str, ...]:
    """The words and numbers of a label: `2 (c)` and `**2c**` are one, `11` is not `1 (1)`."""
    return tuple(_NAME.findall(label.casefold()))


def _field(begin: _Begin, end: int, source: Placed, outline: Outline) -> Field:
    """One line and what stands below it, each read by itself, so that nothing in it changes another."""
    text = source.text
    marker = _marker().search(text, begin.said, begin.end) or _marker().match(text, begin.end, end)
    stop = min(begin.end, marker.start() if marker else end)
    written = letters_and_digits(text[begin.said : stop])
    whole = _blocks(source.cut(begin.start, stop), outline) if written else ()
    answer = tuple(_behind(whole, source.offsets[begin.said]))
    workings = _blocks(source.cut(marker.end() if marker else stop, end), outline)
    return Field(True, answer, workings, begin.bracket)


def _blocks(piece: Placed, outline: Outline) -> tuple[Block, ...]:
    """A stretch of the file as Markdown."""
    before = len(outline.blocks)
    read_markdown(piece, outline, is_whole_file=False)
    return tuple(outline.blocks[before:])


def _behind(blocks: Sequence[Block], offset: int) -> Iterator[Block]:
    """What of these blocks stands from an offset of the file on."""
    for block in blocks:
        at = bisect_left(block.offsets, offset)
        rest = block.text[at:].rstrip(_ENDS).lstrip("= \t\n")
        if rest:
            start = block.text.index(rest, at)
            yield block.part(start, start + len(rest))


def _together(one: Field, other: Field) -> Field:
    """Two lines with one label: an empty one says nothing, two that differ are in doubt."""
    said = [" ".join(block.text for block in field.answer) for field in (one, other)]
    twice = one.twice or (all(said) and said[0] != said[1])
    first = one if said[0] else other
    return Field(True, first.answer, (*one.workings, *other.workings), first.bracket, twice)


@cache
def _marker() -> re.Pattern[str]:
    """`Workings:` below an answer."""
    words = "|".join(map(re.escape, sorted(listed("workings"))))
    return re.compile(rf"\s*[*_]*(?:{words})[*_]*\s*[:：]", re.IGNORECASE)
