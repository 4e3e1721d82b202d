"""The line under a formula that says what its letters mean, where they stand there for the first time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from workings.derivation import Derivation
from workings.derivation.pins import letters_of
from workings.document.blocks import DisplayLine, Inline, Line, Math, Prose, Text
from workings.document.page import Page, lowered, words_of
from workings.formula import Expr, Name, names_in
from workings.units import ONE, Dimension
from workings.vocabulary.concept import Concept, Domain


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A letter as the page writes it, and what it stands for; a flag is 1 where something is so."""

    glyph: str
    words: Line
    flag: bool = False


def where_chain(
    page: Page, what: Derivation, names: Mapping[str, Expr], steps: Sequence[DisplayLine], how: str
) -> Line:
    """The line for a derivation, conditions and all; its full small print names the results it uses."""
    stand = [*_standing(steps), *_glyphs(_of_conditions(what), names)]
    told = set(what.uses) if how == "full" else set()
    page.said |= {*_glyphs([what.head] if what.head else [], names), *_glyphs(told, names)}
    return _line(page, what, names, stand, "where")


def where_below(
    page: Page, what: Derivation, names: Mapping[str, Expr], steps: Sequence[DisplayLine]
) -> tuple[Prose, ...]:
    """The line below a formula with numbers in it, whose title says what it works out."""
    page.said |= set(_glyphs([what.head] if what.head else [], names))
    line = _line(page, what, names, _standing(steps), "where")
    return (Prose(line),) if line else ()


def where_table(
    page: Page, what: Derivation, names: Mapping[str, Expr], rows: Iterable[Expr]
) -> tuple[Prose, ...]:
    """The same of an account, in a sentence of its own."""
    stand = [glyph for row in rows for glyph in _glyphs(names_in(row), names)]
    line = _line(page, what, names, stand, "here")
    return (Prose(line),) if line else ()


def where_asked(page: Page, letters: Iterable[str], entries: Iterable[Derivation]) -> tuple[Prose, ...]:
    """The same below a question on a sheet, whose letters the solution that it lacks would explain."""
    if not page.source.front.where:
        return ()
    known: dict[str, _Meaning] = {}
    for what in entries:
        keys = {name: concept.kin or concept.name for name, concept in what.letters.items()}
        keys |= {name: use.derivation.id for name, use in what.uses.items()}
        names = {name: Name(page.glyphs.get(key, name)) for name, key in keys.items()}
        for one in _meanings(page, what, names):
            known.setdefault(one.glyph, one)
        if what.head:
            glyph = page.glyphs.get(what.id, what.head)
            title = words_of(lowered(what.title), names)
            known.setdefault(glyph, _Meaning(glyph, (*title, *_unit(what.title, what.unit))))
    new = [known[letter] for letter in dict.fromkeys(letters) if letter in known.keys() - page.said]
    page.said |= {one.glyph for one in new}
    return (Prose(_sentence(page, "here", new)),) if new else ()


def say(page: Page, entries: Iterable[Derivation]) -> None:
    """Note that a table says what the letters of these entries mean."""
    for what in entries:
        page.said |= {page.glyphs.get(c.kin or c.name, name) for name, c in what.letters.items()}


def _line(
    page: Page, what: Derivation, names: Mapping[str, Expr], stand: Iterable[str], begins: str
) -> Line:
    """What the letters that stand there mean, those that nothing above has said; nothing if all."""
    if not page.source.front.where:
        return ()
    known = {one.glyph: one for one in _meanings(page, what, names)}
    new = [known[g] for g in dict.fromkeys(stand) if g in known and g not in page.said]
    page.said |= {one.glyph for one in new}
    return _sentence(page, begins, new) if new else ()


def _sentence(page: Page, begins: str, new: Sequence[_Meaning]) -> Line:
    return (Text(page.words[begins]), *_listed(new, page.words), Text(page.words["end"]))


def _listed(new: Sequence[_Meaning], said: Mapping[str, str]) -> Iterator[Inline]:
    """`L stands for blocks, D for model width and z is 1 where …`; letters of one meaning together."""
    ordered = sorted(new, key=lambda one: one.flag)
    alike = [list(group) for _, group in groupby(ordered, key=lambda one: (one.flag, one.words))]
    plainly = len({one.flag for one in new}) == 1
    plainly = plainly and not any(set(",:;") & set(_text(one.words)) for one in ordered)
    for place, group in enumerate(alike):
        if place:
            last = said["and"] if place == len(alike) - 1 else said["comma"]
            yield Text(last if plainly else said["semicolon"])
        yield from _letters([one.glyph for one in group], said)
        stand, are = ("stand", "are") if len(group) > 1 else ("stands", "is")
        yield Text(said[are if group[0].flag else "stands_again" if place else stand])
        yield from group[0].words


def _letters(glyphs: Sequence[str], said: Mapping[str, str]) -> Iterator[Inline]:
    for place, glyph in enumerate(glyphs):
        if place:
            yield Text(said["and" if place == len(glyphs) - 1 else "comma"])
        yield Math(Name(glyph))


def _text(line: Line) -> str:
    return "".join(piece.text for piece in line if isinstance(piece, Text))


def _meanings(page: Page, what: Derivation, names: Mapping[str, Expr]) -> Iterator[_Meaning]:
    for name, concept in what.letters.items():
        [glyph] = _glyphs([name], names)
        yield _Meaning(glyph, _of_concept(concept), concept.domain is Domain.FLAG)
    for name, use in what.uses.items():
        [glyph] = _glyphs([name], names)
        used = use.derivation
        own = {n: Name(page.glyphs.get(c.kin or c.name, n)) for n, c in used.letters.items()}
        title = words_of(lowered(used.title), own)
        yield _Meaning(glyph, (*title, *_unit(used.title, used.unit)))


def _of_concept(concept: Concept) -> Line:
    return (Text(concept.meaning), *_unit(concept.meaning, concept.dimension))


def _unit(meaning: str, dimension: Dimension) -> Line:
    """` (byte)`, but where the meaning begins with it."""
    unit = str(dimension)
    first = meaning.split(maxsplit=1)[0].lower()
    if dimension == ONE or first in (unit.split("/", maxsplit=1)[0].lower() + end for end in ("", "s")):
        return ()
    return (Text(f" ({unit})"),)


def _standing(steps: Iterable[DisplayLine]) -> Iterator[str]:
    """The letters of displayed lines as the page writes them, in order."""
    for step in steps:
        for part in (step.left, step.formula, step.at):
            yield from names_in(part) if part is not None else ()
        yield from step.over


def _of_conditions(what: Derivation) -> list[str]:
    return [name for given in what.conditions for name in sorted(letters_of(given))]


def _glyphs(letters: Iterable[str], names: Mapping[str, Expr]) -> list[str]:
    """Letters of a derivation as the page writes them."""
    return [str(getattr(names.get(name), "id", name)) for name in letters]
