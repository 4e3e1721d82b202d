"""A page being written: its scenario, numbers style, letters, labels and what it has used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from workings.derivation import Derivation
from workings.derivation.violated import lowered
from workings.document.asking import Asking
from workings.document.blocks import Block, Code, Line, Math, Meaning, Text, slug
from workings.document.front import DocumentError, Source, glyphs_of, style_of
from workings.document.shuffled import Order, as_written
from workings.document.valued import Valued
from workings.document.wording import wording
from workings.formula import Expr, Formula, Name, names_in, parse_formula
from workings.units import ONE, Dimension, Format
from workings.values.desk import Desk
from workings.values.notation import put
from workings.vocabulary.concept import Concept

Made = TypeVar("Made")
# What a directive without blocks of Markdown inside makes of itself (a `Directive`) and the page.
Leaf: TypeAlias = Callable[[Any, "Page"], Block | tuple[Block, ...]]


@dataclass
class Page:
    """What directives share while a source is read."""

    source: Source
    style: Format
    glyphs: Mapping[str, str]
    desk: Desk
    sheet: bool = False
    provenance: str = "full"
    numbers: dict[str, tuple[str, int]] = field(default_factory=dict)
    meanings: dict[str, tuple[str, str]] = field(default_factory=dict)
    used: dict[str, Derivation] = field(default_factory=dict)
    here: dict[str, Derivation] = field(default_factory=dict)
    wanted: list[tuple[str, int]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    stated: dict[str, Concept | Derivation] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)  # letters whose meaning stands above
    accounts: frozenset[str] = frozenset()  # entries whose ledger stands under the same heading
    asking: Asking = field(default_factory=Asking)
    valued: dict[tuple[str, str], Valued] = field(default_factory=dict)  # by letter and what is set
    doubled: list[tuple[int, str]] = field(default_factory=list)  # letters with two values, by lines
    above: Block | None = None  # what stands right above, nothing else between
    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)  # what a report's own directives keep, by module
    leads: Callable[[str], str] | None = None  # where an address leads, if not to itself; "" to nowhere
    follows: bool = True  # whether numbers may follow what is set
    order: Order = as_written  # of what is shuffled

    def label(self, kind: str, label: str, line: int) -> int:
        """Give the next number of its kind to a label. Raises DocumentError if it is taken."""
        if not slug(label).strip("-"):
            raise self.source.fail(line, f"label: found {label!r}, expected letters or digits")
        if slug(label) in map(slug, self.numbers):
            raise self.source.fail(line, f"{label} is numbered twice, give one a :label: of its own")
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.numbers[label] = (kind, self.counts[kind])
        return self.counts[kind]

    def table_label(self, label: str, caption: str, line: int) -> int:
        """The number of a table; without a caption it has none, and nothing can refer to it."""
        return self.label("table", label, line) if caption else 0

    def use(self, what: Derivation, line: int) -> dict[str, Expr]:
        """Note that a derivation is on this page; its letters as this page writes them."""
        self.used[what.id] = self.here[what.id] = what
        return dict(self._written(what, _names_of(what), line))

    def use_letters(self, what: Derivation, formula: Formula, line: int) -> dict[str, Expr]:
        """Note that one formula of a derivation is on this page; its letters as the page writes them."""
        self.used[what.id] = what
        written = dict(self._written(what, _names_of(what, formula), line))
        for name, glyph in written.items():
            self.stated.setdefault(glyph.id, what.letters.get(name) or what.uses[name].derivation)
        return dict(written)

    def _written(
        self, what: Derivation, names: Iterable[tuple[str, str, str]], line: int
    ) -> Iterator[tuple[str, Name]]:
        """Each letter as this page writes it. Raises DocumentError where that means something else."""
        for name, key, meaning in names:
            glyph = self.glyphs.get(key, name)
            self.claim(glyph, key, f"{meaning} ({what.id})", line)
            yield name, Name(glyph)

    @property
    def words(self) -> Mapping[str, str]:
        """What pages say in their own words, in the language of this one."""
        return wording(self.source.front.language)

    def named(self, name: str) -> str:
        """What the scenario calls by a name, such as its hardware; nothing where it is a figure."""
        scenario = self.desk.scenario({})
        return scenario.named.get(name, "") if scenario else ""

    def made(self, source: Made) -> Made | None:
        """What a number was worked out from, where the page follows its scenario there."""
        return source if self.follows else None

    def as_printed(self) -> Page:
        """The page at its scenario's own values, for what stays whatever is set."""
        return replace(self, desk=Desk(self.desk.name, self.desk.folder), follows=False)

    def written(self, what: Derivation, letter: str, line: int) -> Name:
        """A result as this page writes it, where it is called by this letter."""
        glyph = self.glyphs.get(what.id, letter)
        self.claim(glyph, what.id, f"{what.title} ({what.id})", line)
        self.stated.setdefault(glyph, what)
        return Name(glyph)

    def desk_at(self, scenario: str | None) -> Desk:
        """The desk of another scenario, or the page's own."""
        return Desk(scenario, self.desk.folder) if scenario else self.desk

    def start_section(self) -> None:
        """Where letters keep their meaning for a section only, they are free again.

        Where a section is a page of its own, its equations, tables and figures count from 1.
        """
        if self.source.front.pages == "section":
            self.counts.clear()
        if self.source.front.scope == "section":
            self.meanings.clear()
            self.here.clear()
            self.stated.clear()
            self.listed.clear()
            self.said.clear()
            self.valued.clear()

    def claim(self, glyph: str, key: str, meaning: str, line: int) -> None:
        """Give a letter its meaning on this page. Raises DocumentError where it has another."""
        other, its_meaning = self.meanings.setdefault(glyph, (key, meaning))
        if other != key:
            raise self.source.fail(
                line, f"the letter {glyph} stands for both {its_meaning} and {meaning}, "
                f"give {other} or {key} another one under [glyphs]",
            )  # fmt: skip


def open_page(
    source: Source,
    *,
    sheet: bool = False,
    provenance: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Page:
    """A fresh page for a source, at other values of its scenario where `settings` say so.

    Students read sheets, so provenance is short there unless it is said.
    """
    glyphs = glyphs_of(source.front)
    desk = Desk(source.front.scenario, str(source.path.parent), settings)
    wanted = provenance or source.front.provenance or ("short" if sheet else "full")
    return Page(source, style_of(source.front), glyphs, desk, sheet, wanted)


def words_of(text: str, names: Mapping[str, Expr]) -> Line:
    """A reason or caption from a derivation: formulas between backticks, words elsewhere."""
    pieces = text.split("`")
    line: list[Text | Math | Code] = []
    for position, piece in enumerate(pieces):
        if position % 2:
            line.append(Math(put(parse_formula(piece), names)))
        elif piece:
            line.append(Text(piece))
    return tuple(line)


def meanings_of(what: Derivation, names: Mapping[str, Expr]) -> tuple[Meaning, ...]:
    """What the letters of a derivation stand for, as a page writes them."""
    return tuple(_meanings(what, names))


def _meanings(what: Derivation, names: Mapping[str, Expr]) -> Iterator[Meaning]:
    for name, _, words in _names_of(what):
        if name in what.letters:
            dimension = what.letters[name].dimension
        else:
            dimension = what.uses[name].derivation.unit if name in what.uses else what.unit
        yield meaning(str(getattr(names[name], "id", name)), words, dimension)


def meaning(glyph: str, words: str, dimension: Dimension) -> Meaning:
    """What a letter stands for, with its unit where it has one; titles say formulas in backticks."""
    return Meaning(glyph, lowered(words.replace("`", "")), "" if dimension == ONE else str(dimension))


def _names_of(what: Derivation, formula: Formula | None = None) -> Iterable[tuple[str, str, str]]:
    """Letter, what it stands for (a concept's or a derivation's name), and its meaning.

    Those of the whole chain, or of one formula of it.
    """
    shown = set(names_in(formula)) if formula is not None else _names_of_chain(what)
    if what.head and formula is None:
        yield what.head, what.id, what.title
    for name, concept in what.letters.items():
        if name in shown:
            yield name, concept.kin or concept.name, concept.meaning
    for name, use in what.uses.items():
        if name in shown:
            yield name, use.derivation.id, use.derivation.title


def _names_of_chain(what: Derivation) -> set[str]:
    shown = {name for line in what.lines for name in names_in(line.formula)}
    shown |= {name for line in what.lines if line.at for name in names_in(line.at)}
    return shown | {name for line in what.lines for name in line.towards}


__all__ = ["DocumentError", "Page", "open_page", "words_of"]
