"""The whole site: every page in its frame, made on all processors, and the index that searches them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from workings import catalogue
from workings.catalogue.exported import exported
from workings.formula import plain
from workings.site.chapter import chapter_place, index_place
from workings.site.counting import program_places
from workings.site.entry import Around, entry_place
from workings.site.example import examples_in, used_by
from workings.site.frame import INDEX_SCRIPT, Frame, assets, data
from workings.site.guides import guide_places
from workings.site.place import INDEX, SYMBOLS, Place, Way, chapter_path, entry_path, neighbours
from workings.site.presets import preset_places
from workings.site.reading import reading_place, told_around
from workings.site.rules import LINT, rule_places
from workings.site.saying import chapter_title, plainly, result
from workings.site.symbols import symbols_place
from workings.site.told import (
    REPORTS,
    check_directives,
    known_reports,
    report_names,
    report_place,
    reports_place,
    review_names,
    review_places,
)
from workings.system.parallel import in_parallel

GUIDES = Path("docs")
SOURCE = Path("reports/catalogue/source.md")
MAIN = (
    Way("Formulas", INDEX), Way("Symbols", SYMBOLS), Way("Presets", "presets/models.html"),
    Way("Rules", LINT),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """What can be found: its title, where it leads, its kind, what it says, and words for it."""

    title: str
    path: str
    kind: str
    said: str
    words: str


@dataclass(frozen=True, slots=True)
class Made:
    """A page as it is written, and what the search knows of it and of what is on it."""

    path: str
    text: str
    cards: tuple[Card, ...]


Told: TypeAlias = Callable[[Iterable[list[Made]], int], Iterable[list[Made]]]


@dataclass(frozen=True, slots=True)
class Task:
    """Some pages: of which kind, and which of them; where directives and templates of one's own are."""

    kind: str
    name: str = ""
    directives: Path | None = None
    templates: Path | None = None


def tasks(directives: Path | None, templates: Path | None) -> list[Task]:
    """All pages, those that take longest first."""
    kinds = {"review": review_names(), "report": report_names(), "chapter": catalogue.topics()}
    wanted = [(kind, name) for kind, names in kinds.items() for name in names]
    return [Task(kind, name, directives, templates) for kind, name in (*wanted, ("rest", ""))]


def site(
    directives: Path | None = None, told: Told | None = None, templates: Path | None = None
) -> dict[str, str]:
    """File name to content of the site. `told` may say how far it is; own `templates` come first."""
    assets(templates)  # a folder that cannot be used is told before any page is made
    check_directives(directives)
    wanted = tasks(directives, templates)
    own = 1 if catalogue.own_folder() else None  # a fresh process does not know formulas of one's own
    made = in_parallel(pages, wanted, own)
    found = [page for some in (told(made, len(wanted)) if told else made) for page in some]
    return joined(found, templates)


def joined(found: list[Made], templates: Path | None = None) -> dict[str, str]:
    """File name to content of some pages, with all that pages need."""
    reports = [Way(one.cards[0].title, one.path) for one in found if one.path.startswith("reports/")]
    if reports:
        found = [*found, *_written([reports_place(reports)], templates)]
    return {page.path: page.text for page in found} | assets(templates) | {INDEX_SCRIPT: _index(found)}


def pages(task: Task) -> list[Made]:
    """The pages of a task."""
    return _written(_PLACES[task.kind](task), task.templates)


def _written(places: Iterable[Place], templates: Path | None) -> list[Made]:
    """Pages in their frame."""
    frame = Frame(ways(), templates)
    return [Made(place.path, frame.written(place), tuple(_cards(place))) for place in places]


def ways() -> tuple[Way, ...]:
    """Where one can go from every page."""
    guides = (Way("Guides", "guides/index.html"),) if GUIDES.is_dir() else ()
    return (*MAIN, *guides, *((Way("Reports", REPORTS),) if report_names() else ()))


def _chapter(task: Task) -> Iterator[Place]:
    """A chapter and its entries."""
    topics = catalogue.topics()
    order = neighbours(tuple(Way(chapter_title(one), chapter_path(one)) for one in topics))
    told = told_around(SOURCE, task.name.replace("_", " "), task.directives)
    yield chapter_place(task.name, *order[topics.index(task.name)], told)
    examples, users, around = examples_in(SOURCE), used_by(), _around()
    for section in catalogue.sections(task.name):
        for what in section.entries:
            before, after = around[what.id]
            place = Around(task.name, section, before, after, users.get(what.id, ()))
            yield entry_place(what, place, examples)


@cache
def _around() -> Mapping[str, tuple[Way | None, Way | None]]:
    """The entries before and after each, through all chapters."""
    entries = catalogue.every()
    order = neighbours(tuple(Way(plainly(what.title), entry_path(what.id)) for what in entries))
    return {what.id: near for what, near in zip(entries, order, strict=True)}


def _rest(task: Task) -> Iterator[Place]:
    """The index, symbols, presets, rules, programs and guides."""
    yield index_place(ways()[1:])
    yield reading_place(SOURCE, task.directives)
    yield symbols_place()
    yield from preset_places()
    yield from rule_places()
    yield from program_places()
    yield from guide_places(GUIDES, known_reports())


_PLACES: Mapping[str, Callable[[Task], Iterable[Place]]] = {
    "chapter": _chapter,
    "report": lambda task: [report_place(task.name, task.directives)],
    "review": lambda task: review_places(task.name),
    "rest": _rest,
}


def _cards(place: Place) -> Iterator[Card]:
    """A page, and what on it has a name of its own."""
    yield Card(place.title, place.path, place.kind, place.summary, " ".join(place.words))
    for anchor, title, words in place.finds:
        yield Card(title, f"{place.path}#{anchor}", place.title, "", words)


def _index(found: list[Made]) -> str:
    """The index of all pages, as a script: entries in the catalogue's order, then the others."""
    cards = {card.path: card for page in found for card in page.cards}
    rows = []
    for what in catalogue.every():
        cards.pop(entry_path(what.id), None)
        rows.append([plainly(what.title), entry_path(what.id), chapter_title(what.topic),
                     plain(result(what), units=False)])  # fmt: skip
    rows += [[card.title, card.path, card.kind, card.said[:120]] for card in cards.values()]
    known = exported([(card.title, card.words) for card in cards.values()])
    return f"Workings.index={data(known | {'pages': rows})};\n"
