"""What `entry` returns: a derivation as data, what `show` prints as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from workings.contract import SCHEMA
from workings.derivation import Derivation
from workings.formula import Formula, Name, latex, plain
from workings.render.text_derivation import condition_text, derivation_text, line_text, used_text
from workings.values.notation import glyphs_named, letters_in, renamed, words_renamed
from workings.verification.verified import fresh


class Page(str):
    """What `show` returns: the text of a derivation, which a notebook typesets."""

    _asked: tuple[Derivation, str | None]

    def __new__(cls, what: Derivation, form: str, notation: str | None) -> Page:
        """The text in a form: `text`, `md` or `tex`. Raises UserError for another one, and its errors."""
        from workings.render.show import derivation_fragment  # noqa: PLC0415 - loads Jinja

        if form == "text":
            made = derivation_text(what, glyphs_named(notation))
        else:
            made = derivation_fragment(what, form, notation=notation)
        page = super().__new__(cls, made)
        page._asked = (what, notation)
        return page

    def _repr_markdown_(self) -> str:
        from workings.render.notebook import one_cell  # noqa: PLC0415 - loads Jinja
        from workings.render.show import derivation_fragment  # noqa: PLC0415 - the same

        what, notation = self._asked
        return one_cell(derivation_fragment(what, "ipynb", notation=notation))


@dataclass(frozen=True, repr=False)
class Entry:
    """A derivation of the catalogue, in its own letters or in those of a notation."""

    derivation: Derivation
    glyphs: Mapping[str, str]

    @property
    def id(self) -> str:
        """Its name in the catalogue."""
        return self.derivation.id

    @property
    def formula(self) -> str:
        """The result as one line of text: `M = (S + A/2)/N + A/2`, or a condition."""
        what = self.derivation
        if what.head is None:
            return self._plain(what.condition)
        return f"{self._letters[what.head]} = {self._plain(what.result)}"

    @property
    def verdict(self) -> str:
        """`proved` or another verdict that `workings verify` left; `not verified` where it is stale."""
        found = fresh(self.derivation)
        return "not verified" if found is None else str(found["word"])

    def to_dict(self) -> dict[str, Any]:
        """What `workings show --format json` prints."""
        what, letters = self.derivation, self._letters
        return {
            "schema": SCHEMA, "id": what.id, "title": what.title, "topic": what.topic,
            "unit": str(what.unit), "formula": self.formula,
            "chain": [dict(zip(("relation", "formula"), line_text(line, letters), strict=True),
                           reason=words_renamed(line.reason, letters)) for line in what.lines],
            "letters": {letters[name]: {"concept": concept.name, "meaning": concept.meaning,
                                        "unit": str(concept.dimension)}
                        for name, concept in what.letters.items()},
            "uses": {letters[name]: used_text(use, letters, self.glyphs)
                     for name, use in what.uses.items()},
            "given": [condition_text(text, letters) for text in what.given], "holds_for": what.for_whom,
            "remarks": [words_renamed(text, letters) for text in what.remarks],
            "oracle": what.counted, "verdict": self.verdict,
            "source": asdict(what.source),
        }  # fmt: skip

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        return letters_in(self.derivation, self.glyphs)

    def _plain(self, formula: Formula) -> str:
        return plain(renamed(formula, self._letters), units=False)

    def __repr__(self) -> str:
        return f"{self.id}: {self.formula}"

    def _repr_latex_(self) -> str:
        what, letters = self.derivation, self._letters
        formula = latex(renamed(what.result if what.head else what.condition, letters))
        return f"$${f'{latex(Name(letters[what.head]))} = {formula}' if what.head else formula}$$"
