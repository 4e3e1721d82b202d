"""How many formulas of a source the catalogue has, how many examples come out, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from covering.judging import Found, Judged
from covering.lists import HAS, OPEN, VERDICTS, Listed

_RARE = ("ours wrong", OPEN)  # verdicts that have a column only where there are any


@dataclass(frozen=True)
class Counted:
    """Formulas by their verdict, and examples: printed, tried, and by theirs."""

    formulas: Counter[str]
    examples: Counter[str]
    printed: int

    @property
    def all(self) -> int:
        """All formulas."""
        return self.formulas.total()

    @property
    def has(self) -> int:
        """Formulas that the catalogue has."""
        return sum(self.formulas[verdict] for verdict in HAS)

    @property
    def answered(self) -> int:
        """Formulas that it has, and those that it shows to be wrong: an entry gives what is right."""
        return self.has + self.formulas["source wrong"]

    def share(self, part: int) -> Fraction | None:
        """A part of the formulas, over all that are not left out.

        None where all are, or none is matched yet.
        """
        rest = self.all - self.formulas["left out"]
        return Fraction(part, rest) if rest > self.formulas[OPEN] else None

    @property
    def tried(self) -> int:
        """Examples that were worked out here."""
        return self.examples.total() - self.examples["left out"]

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.formulas + other.formulas, self.examples + other.examples,
                       self.printed + other.printed)  # fmt: skip


NOTHING = Counted(Counter(), Counter(), 0)


def counted(one: Judged) -> Counted:
    """The counts of one source; an example that could not be confirmed is not tried."""
    formulas = one.source.formulas
    return Counted(
        Counter(one.verdict(formula.id) for formula in formulas),
        Counter(verdict for found in one.found.values() for verdict in found.worked.verdicts.values()),
        sum(len(formula.examples) for formula in formulas),
    )


def columns(total: Counted) -> tuple[str, ...]:
    """The verdicts that a table has columns for."""
    return tuple(v for v in (*VERDICTS, OPEN) if v not in _RARE or total.formulas[v])


class Need(NamedTuple):
    """An entry that is missing: what it would be, and how many formulas of each source want it."""

    slug: str
    words: str
    wanted: tuple[tuple[Judged, int], ...]

    @property
    def formulas(self) -> int:
        """How many formulas want it."""
        return sum(count for _, count in self.wanted)


def needs(found: Iterable[Judged]) -> list[Need]:
    """What is missing, wanted by most formulas first."""
    words: dict[str, str] = {}
    wanted: dict[str, dict[str, tuple[Judged, int]]] = {}
    for one, _, of in matched(found):
        slug = of.match.need
        if slug and one.verdict(of.match.formula) != OPEN:
            words[slug] = words.get(slug) or of.match.needs
            by_source = wanted.setdefault(slug, {})
            count = by_source.get(one.source.name, (one, 0))[1]
            by_source[one.source.name] = (one, count + 1)
    made = [Need(slug, words[slug], tuple(by_source.values())) for slug, by_source in wanted.items()]
    return sorted(made, key=lambda need: (-need.formulas, need.slug))


def matched(found: Iterable[Judged]) -> Iterator[tuple[Judged, Listed, Found]]:
    """Every formula that has a match, in the order of the lists."""
    for one in found:
        for listed in one.source.formulas:
            if listed.id in one.found:
                yield one, listed, one.found[listed.id]
