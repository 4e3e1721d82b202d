"""Whether a reader of a source finds its formulas by a question: `workings list --search` on coverage.

Each question is asked of the whole catalogue, and with `--source`, of the formulas of its source.

The questions in `benchmarks/coverage/questions.tsv` are by somebody who saw the lists of formulas only. A
question is answered by an entry that its formula is matched with; the others, whose formula the catalogue
does not have, say nothing of the search and do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from covering.lists import FOLDER, HAS, matches_of
from workings.catalogue.search import find, perhaps
from workings.errors import UserError
from workings.results.published import published

COUNTED = (*HAS, "part")
SEEN = 760  # the first questions, which the search was improved with; the rest was held back
NEAR = 5  # an answer that stands this high is found at a glance


@dataclass(frozen=True)
class Question:
    """A question after a formula, and the ids that answer it; `row` is its line in the table."""

    row: int
    source: str
    text: str
    right: frozenset[str]

    @property
    def rank(self) -> int:
        """The place of the first right answer, from 1; 0 where none is near."""
        found = [one.entry.id in self.right for one in find(self.text, NEAR)]
        return found.index(True) + 1 if True in found else 0

    @property
    def in_source(self) -> int:
        """The place of the first right answer among the formulas of its source; 0 where none is near."""
        likely = published(self.source, self.text).formulas[:NEAR]
        return next((place for place, one in enumerate(likely, 1) if self.right & {*one.formula.ids}), 0)

    @property
    def perhaps(self) -> bool:
        """Whether an entry that answers is named as perhaps near, where nothing is surely."""
        return any(one.entry.id in self.right for one in perhaps(self.text))


@dataclass(frozen=True)
class Score:
    """How many questions have an entry that answers, how many it answers first, how many nearly so."""

    asked: int
    first: int
    near: int
    perhaps: int
    first_in_source: int
    near_in_source: int

    def __str__(self) -> str:
        more = f", {self.perhaps} more named as perhaps near" if self.perhaps else ""
        told = f"{self.first_in_source} and {self.near_in_source} where the source is named"
        return f"{self.first} of {self.asked} first, {self.near} within {NEAR}{more}; {told}"


def questions(folder: Path = FOLDER) -> Iterator[Question]:
    """The questions that the catalogue has an entry for. Raises UserError."""
    path = folder / "questions.tsv"
    ids: dict[str, dict[str, frozenset[str]]] = {}
    for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        columns = line.split("\t")
        if len(columns) != 3:
            raise UserError(f"{path.name}: found {len(columns)} columns in line {row}, expected 3")
        name, formula, text = columns
        if name not in ids:
            ids[name] = _right(name, folder)
        if formula not in ids[name]:
            raise UserError(f"{path.name}: found {name} {formula} in line {row}, expected a match of it")
        if ids[name][formula]:
            yield Question(row, name, text, ids[name][formula])


def _right(name: str, folder: Path) -> dict[str, frozenset[str]]:
    """The ids that each formula of a list is matched with, none where the catalogue does not have it."""
    return {
        one.formula: frozenset(one.entries.values() if one.verdict in COUNTED else ())
        for one in matches_of(name, folder) or ()
    }


def score(asked: Sequence[Question]) -> Score:
    """How well the search answers these questions."""
    ranks = [one.rank for one in asked]
    named = sum(one.perhaps for one in asked)
    inside = [one.in_source for one in asked]
    return Score(
        len(ranks), ranks.count(1), sum(map(bool, ranks)), named, inside.count(1), sum(map(bool, inside))
    )
