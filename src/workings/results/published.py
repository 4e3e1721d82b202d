"""What `published` returns: the formulas that sources print, and the entries that have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workings.catalogue.published import Listed, asked_of, published_in
from workings.contract import SCHEMA
from workings.errors import UserError

MOST = 10  # that a question finds


@dataclass(frozen=True)
class PublishedResult:
    """Formulas of sources, in their order there or, where a question is asked, the likeliest first."""

    source: str
    words: str
    formulas: tuple[Listed, ...]

    def to_dict(self) -> dict[str, Any]:
        """What `workings list --source … --format json` prints."""
        return {"schema": SCHEMA, "source": self.source, "words": self.words,
                "formulas": [_formula(one) for one in self.formulas]}  # fmt: skip


def _formula(one: Listed) -> dict[str, Any]:
    return {"source": one.source.name, "place": one.formula.place, "words": one.formula.words,
            "ids": list(one.formula.ids), "wrong": one.formula.wrong}  # fmt: skip


def published(source: str, words: str = "") -> PublishedResult:
    """The formulas of the sources that a word names, of them those that a question may be about.

    Raises UserError for a source that is not listed, or where no formula shares a word with a question.
    """
    pairs = [Listed(one, formula) for one in published_in(source) for formula in one.formulas]
    if not words.strip():
        return PublishedResult(source, "", tuple(pairs))
    by_formula = {id(pair.formula): pair for pair in pairs}
    likely = asked_of(words, [pair.formula for pair in pairs])[:MOST]
    if not likely:
        raise UserError(
            f"--search: found no formula of {source} for {words[:60]!r}, expected its own words"
        )
    return PublishedResult(source, words, tuple(by_formula[id(one)] for one in likely))
