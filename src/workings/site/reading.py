"""How to read the site, and what the report of the catalogue says around its formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workings.document.blocks import Block, Document, Heading, Items, Prose, Strong, Text
from workings.document.front import read_source
from workings.document.own import own_directives
from workings.document.page import open_page
from workings.document.read import LEAVES, read_blocks
from workings.document.sections import sections_of
from workings.site.place import INDEX, SYMBOLS, Place, Way, lead
from workings.site.saying import marked

READING = "reading.html"
TITLE = "How to read these pages"
SAID = "What stands on the page of a formula, which units it is in, and what guards it."
PARTS = {
    "The result": "is the formula, in the letters that the table below it explains.",
    "In numbers": "the formula is worked out at a scenario: a model, a layout over devices and hardware. "
    "Move a slider or type a value, and every number follows; the address then holds what you set, so "
    "that a link shares it.",
    "Derivation": "begins with a first line that can be checked by eye and goes on line by line, with "
    "the reason for each line beside it.",
    "When it holds": "says for which values the formula is meant, and what answers for others.",
    "How it is proved and counted": "says by what each line follows from the one above, and how a "
    "program counted the result a second way; its code stands at the end of the page.",
}
MEANT = (
    "An equals sign means exact, ≈ means rounded. GB is 1,000,000,000 bytes and GiB is 1,073,741,824, a "
    "multiply-add is 2 FLOPs, and link speeds are one way, per device, unless a letter says otherwise."
)


@dataclass(frozen=True, slots=True)
class Told:
    """What the report says before and after the formulas of a chapter, and numbers of what is in it."""

    before: tuple[Block, ...] = ()
    after: tuple[Block, ...] = ()
    numbers: Mapping[str, tuple[str, int]] = field(default_factory=dict)


def told_around(source: Path, topic: str, directives: Path | None) -> Told:
    """What the source says of a chapter beside its formulas; without a topic, its sections of none."""
    if not source.is_file():
        return Told()
    read = read_source(source)
    page, formulas = open_page(read), Prose(())
    page.leaves = {**LEAVES, **own_directives(read, directives), "topic": lambda *_: formulas}
    blocks: list[Block] = []
    for part in sections_of(read):
        if part.name and part.topic == topic:
            blocks += read_blocks(part.text, page, part.first_line, 0)
    if not topic:
        return Told(tuple(blocks), (), page.numbers)
    at = next((place for place, block in enumerate(blocks) if block is formulas), len(blocks))
    return Told(tuple(blocks[1:at]), tuple(blocks[at + 1 :]), page.numbers)  # its heading is the page's


def reading_place(source: Path, directives: Path | None) -> Place:
    """What one has to know to read an entry, and what guards all of them."""
    told = told_around(source, "", directives)
    blocks = (*_how(), *told.before)
    document = Document((Text(TITLE),), blocks, told.numbers)
    return Place(READING, "Start", TITLE, SAID, document, (Way("Start", INDEX),))


def _how() -> Iterator[Block]:
    yield Prose((Text("Every formula has a page of its own. On it stand, from the top:"),))
    yield Items(
        tuple((Prose((Strong((Text(name),)), Text(f" {words}"))),) for name, words in PARTS.items())
    )
    letters = lead("Symbols", SYMBOLS, READING)
    yield Prose((
        Text("Point at a letter to read what it means. "), letters,
        Text(" lists all letters, with those of papers and books, which can be chosen above a formula."),
    ))  # fmt: skip
    yield Heading(2, (Text("Units and signs"),))
    yield Prose(marked(MEANT))
