"""What published sources print: each formula of a paper or book, where it stands, and the entries for it.

The lists are of readers who saw the sources alone; `benchmarks/coverage` holds them with the formulas
themselves, and how each was compared with the catalogue's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workings.errors import UserError

PUBLISHED = Path(__file__).parent / "published.toml"  # written from the lists of benchmarks/coverage


@dataclass(frozen=True, slots=True)
class Printed:
    """A formula of a source: its place there, what it gives in the source's words, the ids that have it.

    `wrong` says why it is not right as it is printed, where it is not.
    """

    place: str
    words: str
    ids: tuple[str, ...]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Publication:
    """A source and its formulas in the order in which they stand there; `name` is what it is asked by.

    `without` counts its formulas that no entry has.
    """

    name: str
    title: str
    authors: str
    year: int
    where: str
    without: int
    formulas: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A formula beside the source that prints it."""

    source: Publication
    formula: Printed


@cache
def publications() -> tuple[Publication, ...]:
    """All sources, by name."""
    made = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))
    return tuple(
        Publication(name, one["title"], one["authors"], one["year"], one["where"], one["without"],
                    tuple(Printed(place, words, tuple(ids.split()), *wrong)
                          for place, words, ids, *wrong in one["formulas"]))
        for name, one in made.items()
    )  # fmt: skip


def published_in(text: str) -> tuple[Publication, ...]:
    """The sources that a text names: `zero` the one of that name, `scaling book` all that begin so.

    A word that no name has is looked for in titles and among authors. Raises UserError.
    """
    words = text.lower().replace("-", " ").split()
    ways = (
        [one for one in publications() if one.name == text.lower()],
        [one for one in publications() if _says(one.name, words)],
        [one for one in publications() if _says(f"{one.title} {one.authors} {one.where}", words)],
    )
    found = next((way for way in ways if way), None)
    if not found:
        known = ", ".join(one.name for one in publications())
        raise UserError(
            f"--source: found {text[:60]!r}, expected a word of a source's name, one of {known}"
        )
    return tuple(found)


def _says(called: str, words: Sequence[str]) -> bool:
    """Whether each word begins one of a source's."""
    own = called.lower().replace("-", " ").replace(":", " ").split()
    return bool(words) and all(any(one.startswith(word) for one in own) for word in words)


def asked_of(question: str, formulas: Sequence[Printed]) -> tuple[Printed, ...]:
    """Those formulas of a source that a question may be about, the likeliest first."""
    from workings.catalogue.search import likeness  # noqa: PLC0415 - which reads these lists itself

    shares, said = likeness(question)
    rated = [
        (max((shares.get(id_, 0.0) for id_ in one.ids), default=0.0) + said(one.words), one)
        for one in formulas
    ]
    return tuple(one for rate, one in sorted(rated, key=lambda pair: -pair[0]) if rate)
