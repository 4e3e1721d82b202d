"""The symbols: every concept with its meaning, unit and letters, and the formulas that speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Document, Line, Math, Prose, Text
from workings.formula import Name
from workings.scenario import read_preset
from workings.site.letters import notations
from workings.site.place import INDEX, SYMBOLS, Place, Way, entry_path
from workings.site.saying import plainly
from workings.units import ONE
from workings.vocabulary import concepts
from workings.vocabulary.concept import Concept


@dataclass(frozen=True, slots=True)
class Symbol:
    """A concept as the site lists it: its letters by who writes them so, and where it is used."""

    concept: Concept
    letters: Mapping[str, str]
    users: tuple[Way, ...]

    @property
    def unit(self) -> str:
        """Its unit, or what it counts."""
        dimension = self.concept.dimension
        return self.concept.noun or "" if dimension == ONE else str(dimension)


def symbols_place() -> Place:
    """The page of all symbols; its rows are written by `symbols_by_letter`."""
    said = (
        "Every concept of these formulas: the letter that these pages write, what it means, its unit, "
        "what others write, and where it is used."
    )
    finds = tuple((c.name, f"{c.glyph}: {c.meaning}", f"{c.name} {c.glyph}") for c in concepts())
    document = Document((Text("Symbols"),), (Prose((Text(said),)),), {})
    return Place(SYMBOLS, "Symbol", "Symbols", said, document, (Way("Start", INDEX),), finds=finds)


def symbols_by_letter() -> Iterator[Symbol]:
    """All symbols, by their usual letter."""
    others = {title: read_preset("notation", name)["glyphs"] for name, title in notations().items()}
    users = _users()
    for concept in sorted(concepts(), key=lambda one: (one.glyph.lower(), one.glyph, one.name)):
        key = concept.kin or concept.name  # a notation names kin once
        named = {title: glyphs[key] for title, glyphs in others.items() if key in glyphs}
        used = tuple(
            Way(plainly(what.title), entry_path(what.id)) for what in users.get(concept.name, ())
        )
        yield Symbol(concept, named, used)


def _users() -> Mapping[str, list[Derivation]]:
    """The entries that have a letter for each concept."""
    found: dict[str, list[Derivation]] = {}
    for what in catalogue.every():
        for concept in dict.fromkeys(what.letters.values()):
            found.setdefault(concept.name, []).append(what)
    return found


def glyph_line(glyph: str) -> Line:
    """A letter as it stands in formulas."""
    return (Math(Name(glyph)),)
