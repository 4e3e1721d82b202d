"""What the letters of a document mean: values and formulas given anywhere in it, with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product

from workings.formula.tree import Expr, Name, names_in, substitute, walk

MAX_CHOICES = 48  # readings of a step under different values of its letters
MAX_MEANINGS = 200  # of one name; who gives more has no use for them
MAX_PARTS = 4_000  # of a formula with its letters replaced


@dataclass(frozen=True, slots=True)
class Definition:
    """A letter or name, what it is said to be, and where (`offset` in the file, `line`)."""

    name: str
    expression: Expr
    offset: int
    line: int
    section: int
    words: str = ""
    about: bool = False  # rounded or approximated where it is given
    learned: bool = False  # from a number put in for the letter, and said nowhere
    on_purpose: bool = False  # let, take, set: a value that replaces the one before
    of_formula: bool = False  # what the name's own formula comes to, and so no second meaning

    @property
    def source(self) -> str:
        """Where it is given, in words."""
        return f"line {self.line}" if self.line else self.words

    @property
    def is_value(self) -> bool:
        """Whether it is a number and not a formula."""
        return not names_in(self.expression)


@dataclass
class Definitions:
    """All definitions of a document, by name, in reading order."""

    by_name: dict[str, list[Definition]] = field(default_factory=dict)

    def add(self, found: Definition) -> None:
        """Keep a definition, unless it says nothing new or defines a name by itself."""
        if found.name in names_in(found.expression):
            return
        known = self.by_name.setdefault(found.name, [])
        if len(known) < MAX_MEANINGS and all(d.expression != found.expression for d in known):
            known.append(found)

    def mark(self, found: Definition) -> None:
        """Note that a value is what the name's own formula comes to."""
        known = self.by_name[found.name]
        known[known.index(found)] = replace(found, of_formula=True)

    def is_settled(self, used: Definition, section: int) -> bool:
        """Whether a name means one thing only, in the document or at least in this section."""
        if used.learned:
            return False
        known = [d for d in self.by_name.get(used.name, ()) if not d.of_formula]
        here = {d.expression for d in known if d.section == section}
        return len({d.expression for d in known}) == 1 or (used.section == section and len(here) == 1)

    def clashes(self) -> Iterator[tuple[Definition, Definition]]:
        """Names that mean two things: a value and a formula, or two values within one section."""
        for every in self.by_name.values():
            known = [d for d in every if not d.of_formula]
            first = known[0]
            for other in known[1:]:
                if " " in other.name or other.line == 0 or first.line == 0 or other.on_purpose:
                    break
                if first.is_value != other.is_value or (
                    first.is_value and first.section == other.section
                ):
                    yield first, other
                    break

    def replaced_by(self, used: Definition, offset: int, section: int) -> Definition | None:
        """The value given on purpose between a name's older value and the place where it is used."""
        for other in self.by_name.get(used.name, ()):
            later = used.offset < other.offset < offset and other.section == section
            if later and other.on_purpose and other.is_value and used.is_value:
                return other
        return None

    def candidates(self, name: str, offset: int, section: int) -> list[Definition]:
        """Definitions of a name, the likeliest first: before the place and near it, then after it."""
        known = [d for d in self.by_name.get(name, ()) if d.offset != offset]
        before = [d for d in known if d.offset < offset]
        after = [d for d in known if d.offset > offset]
        before.sort(key=lambda d: (d.section != section, -d.offset))
        after.sort(key=lambda d: (d.section != section, d.offset))
        return before + after

    def readings(
        self, names: tuple[str, ...], offset: int, section: int
    ) -> Iterator[tuple[dict[str, Expr], list[Definition]]]:
        """Ways to put what is known in place of these names, the likeliest first."""
        choices = [self.candidates(name, offset, section)[:6] for name in names]
        known = [(n, c) for n, c in zip(names, choices, strict=True) if c]
        if not known:
            return
        for chosen in islice(product(*(c for _, c in known)), MAX_CHOICES):
            yield {n: d.expression for (n, _), d in zip(known, chosen, strict=True)}, list(chosen)


def put_in(expression: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with what is known in place of its names, once, unless that gets too large."""
    sizes = {name: sum(1 for _ in walk(value)) for name, value in values.items()}
    size = sum(sizes.get(part.id, 1) if isinstance(part, Name) else 1 for part in walk(expression))
    return expression if size > MAX_PARTS else substitute(expression, dict(values))
