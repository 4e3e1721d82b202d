"""The index of the site, and a page for each chapter: sections in reading order, with their formulas."""

from __future__ import annotations

from collections.abc import Iterator

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Block, Document, Heading, Items, Math, Note, Prose, Strong, Text
from workings.site.letters import other_letters
from workings.site.place import INDEX, SYMBOLS, Place, Way, chapter_path, entry_path, lead
from workings.site.reading import READING, TITLE, Told
from workings.site.saying import anchor, chapter_title, marked, plainly, result

OPENING = (
    "Parameters, memory, FLOPs, communication and pipeline bubbles of large-model training and serving "
    "as closed-form formulas. Each is derived line by line with a reason for every step, counted a "
    "second way by a small simulation, and worked out in numbers."
)
ASKED = (
    "how many bytes does an all-reduce send", "memory of Adam per parameter", "pipeline bubble of 1F1B",
    "activation memory of a layer", "6ND", "when does FSDP hide its communication", "d_model",
)  # fmt: skip


def chapter_place(topic: str, before: Way | None, after: Way | None, told: Told) -> Place:
    """A chapter as a page, with what the report tells around its formulas."""
    here, title = chapter_path(topic), chapter_title(topic)
    opening = catalogue.introduction(topic)
    blocks: list[Block] = [Prose(marked(opening)), *told.before]
    for section in catalogue.sections(topic):
        blocks += [Heading(2, (Text(section.title),)), *_section(section, here)]
    blocks += told.after
    letters = {what.id: other_letters(what) for what in catalogue.every(topic)}
    finds = tuple((anchor(s.title), s.title, "") for s in catalogue.sections(topic))
    beside = tuple(Way(chapter_title(one), chapter_path(one)) for one in catalogue.topics())
    document = Document((Text(title),), tuple(blocks), told.numbers)
    crumbs = (Way("Formulas", INDEX),)
    return Place(here, "Chapter", title, plainly(opening), document, crumbs, before, after, beside,
                 letters=letters, finds=finds)  # fmt: skip


def _section(section: catalogue.Section, here: str) -> Iterator[Block]:
    if section.opening:
        yield Prose(marked(section.opening))
    yield Items(tuple((_entry(what, here),) for what in section.entries))


def _entry(what: Derivation, here: str) -> Prose:
    """An entry by its title, and what it says."""
    title = Strong((lead(plainly(what.title), entry_path(what.id), here),))
    return Prose((title, Text(": "), Math(result(what))))


def index_place(others: tuple[Way, ...]) -> Place:
    """The first page: what this is, the chapters in order, and what else there is."""
    count = len(catalogue.every())
    chapters = Items(tuple(tuple(_chapter(topic)) for topic in catalogue.topics()), numbered=True)
    blocks: list[Block] = [
        Prose((Text(f"{OPENING} "), lead(TITLE, READING, INDEX), Text("."))),
        Heading(2, (Text(f"The chapters, {count} formulas"),)),
        chapters,
        Heading(2, (Text("What else there is"),)),
        Items(tuple((Prose((lead(way.words, way.path, INDEX),)),) for way in others)),
        Note("note", (Text("Letters"),), (Prose((
            Text("One letter cannot have one meaning in a whole literature; here each formula says what "
                 "its letters mean, and "),
            lead("symbols", SYMBOLS, INDEX),
            Text(" lists them all. Other letters can be chosen above a chapter or formula."),
        )),)),
    ]  # fmt: skip
    title = "The workings of large-model training and serving"
    return Place(INDEX, "Start", title, OPENING, Document((Text(title),), tuple(blocks), {}))


def _chapter(topic: str) -> Iterator[Block]:
    entries = len(catalogue.every(topic))
    sections = " · ".join(section.title for section in catalogue.sections(topic))
    title = Strong((lead(chapter_title(topic), chapter_path(topic), INDEX),))
    yield Prose((title, Text(f", {entries} formulas: {sections}")))
