"""What `find` returns: the derivations that words mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workings import catalogue
from workings.contract import SCHEMA
from workings.derivation import Derivation
from workings.values.tabled import tabled

MOST = 10  # that a question finds
SHOWN = 12  # of those found, by repr


@dataclass(frozen=True, slots=True)
class Match:
    """A derivation that was found: its id, what it gives, its topic and the unit of its result."""

    id: str
    title: str
    topic: str
    unit: str

    def __repr__(self) -> str:
        return f"{self.id}: {self.title}"


@dataclass(frozen=True, repr=False)
class FindResult:
    """The derivations that were found, the best first; it can be looped over and indexed."""

    words: str
    topic: str | None
    matches: tuple[Match, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Their ids, for `value`, `show` and `solve`."""
        return tuple(match.id for match in self.matches)

    def to_dict(self) -> dict[str, Any]:
        """What `workings list --format json` prints."""
        names = ("id", "title", "topic", "unit")
        found = [{name: getattr(match, name) for name in names} for match in self.matches]
        return {"schema": SCHEMA, "words": self.words, "topic": self.topic, "derivations": found}

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __getitem__(self, place: int) -> Match:
        return self.matches[place]

    def __repr__(self) -> str:
        width = max(len(match.id) for match in self.matches[:SHOWN])
        lines = [f"{match.id:{width}}  {match.title}" for match in self.matches[:SHOWN]]
        more = len(self.matches) - len(lines)
        return "\n".join([*lines, *([f"and {more} more"] if more else [])])

    def _repr_html_(self) -> str:
        rows = [(match.id, match.title, match.topic, match.unit) for match in self.matches]
        return tabled(("id", "what it gives", "chapter", "unit"), "", rows)


def find(words: str = "", topic: str | None = None) -> FindResult:
    """The derivations (of a topic) that words mean. Raises UnknownDerivationError where none is."""
    if topic and topic.replace(" ", "_") not in catalogue.topics():
        known = ", ".join(name.replace("_", " ") for name in catalogue.topics())
        raise catalogue.UnknownDerivationError(f"no topic {topic!r}, expected one of {known}")
    found = _asked(words, topic) if words.strip() else catalogue.every(topic)
    if not found:
        raise catalogue.UnknownDerivationError(
            f"no derivation is surely about {words!r}, {_instead(words)}: `workings list` prints all"
        )
    matches = tuple(Match(w.id, w.title.replace("`", ""), w.topic, str(w.unit)) for w in found)
    return FindResult(words, topic or None, matches)


def _instead(words: str) -> str:
    """What may be near words that no derivation is surely about."""
    from workings.catalogue.search import perhaps  # noqa: PLC0415 - it reads all entries

    near = ", ".join(f"{one.entry.id} ({one.entry.title.replace('`', '')})" for one in perhaps(words))
    return f"perhaps near are {near}" if near else "expected a question that the catalogue answers"


def _asked(words: str, topic: str | None) -> tuple[Derivation, ...]:
    """What a question is about, the likeliest first, of a chapter where one is named."""
    from workings.catalogue.search import find as search  # noqa: PLC0415 - it reads all entries

    chapter = (topic or "").replace("_", " ")
    likely = search(words, len(catalogue.ids()) if topic else MOST)
    return tuple(one.entry for one in likely if chapter in ("", one.entry.topic))[:MOST]
