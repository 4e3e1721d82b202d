"""A page of the site: where it stands, what it is called, what is on it, and where one goes from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, relpath
from typing import TypeAlias

from workings.document.blocks import Document, Inline, Line, Link, Text

INDEX, SYMBOLS = "index.html", "symbols.html"


# By notation: the text of a letter as a page shows it, to the MathML of the other.
Letters: TypeAlias = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Way:
    """Words that lead to a page, which is named from the folder of the site."""

    words: str
    path: str


@dataclass(frozen=True, slots=True)
class Runs:
    """Functions and classes of a file that a program runs, and the page that shows them."""

    origin: str
    path: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Python that a page shows: what it is, from where, its pieces with their kinds, what it runs.

    It is folded unless it is `open`; `anchor` leads to it.
    """

    title: str
    origin: str
    pieces: tuple[tuple[str, str], ...]
    anchor: str = ""
    open: bool = False
    runs: tuple[Runs, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A page, before it is written in HTML.

    `crumbs` lead to it from the index, `before` and `after` are its neighbours in reading order, `beside`
    all pages of its section. `letters` gives, by entry, what each notation writes for its letters.
    `words` are what it is found by besides its title, `finds` what else on it has a name of its own: the
    anchor, the name and the words of each.
    """

    path: str
    kind: str
    title: str
    summary: str
    document: Document
    crumbs: tuple[Way, ...] = ()
    before: Way | None = None
    after: Way | None = None
    beside: tuple[Way, ...] = ()
    listings: tuple[Listing, ...] = ()
    letters: Mapping[str, Letters] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    finds: tuple[tuple[str, str, str], ...] = ()


def relative(path: str, here: str) -> str:
    """The address of a page of the site (and of an anchor on it) as a page writes it."""
    file, mark, anchor = path.partition("#")
    return relpath(file, dirname(here) or ".") + mark + anchor


def lead(words: str | Line, path: str, here: str) -> Link:
    """A link from one page of the site to another."""
    inside: tuple[Inline, ...] = (Text(words),) if isinstance(words, str) else words
    return Link(inside, relative(path, here))


def entry_path(id_: str) -> str:
    """Where the page of an entry stands."""
    return f"entries/{id_}.html"


def chapter_path(topic: str) -> str:
    """Where the page of a chapter stands."""
    return f"chapters/{topic.replace(' ', '-').replace('_', '-')}.html"


def neighbours(ways: tuple[Way, ...]) -> list[tuple[Way | None, Way | None]]:
    """For each of some pages in reading order, the one before and the one after."""
    return list(zip((None, *ways), (*ways[1:], None), strict=False))
