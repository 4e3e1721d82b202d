"""What `simplify`, `solve_symbolic` and `verify` return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workings import verification
from workings.contract import SCHEMA
from workings.derivation import Derivation
from workings.values.solved import ClosedForm
from workings.values.solving import closed_forms
from workings.values.tabled import tabled
from workings.verification.record import sympy_form


def solved(what: Derivation, letter: str) -> ClosedForm:
    """A letter in closed form. Raises FormulaError where there is none."""
    return ClosedForm(what, letter, "=", tuple(closed_forms(what, letter)))


def simplified(what: Derivation) -> ClosedForm:
    """The closed form that SymPy finds by itself from the first line. Raises FormulaError."""
    relation = "=" if what.head else what.condition.rest[0][0]
    return ClosedForm(what, what.head or what.solved_letter or "", relation, (sympy_form(what),))


@dataclass(frozen=True, repr=False)
class Verified(verification.Report):
    """What is known of one derivation: each step's verdict, the oracle's, and the weakest as `word`."""

    def to_dict(self) -> dict[str, Any]:
        """The verdicts, as they are kept on file."""
        steps = [{"line": s.line, "relation": s.relation, "word": s.verdict.word, "how": s.verdict.how}
                 for s in self.steps]  # fmt: skip
        oracle = {"word": self.oracle.word, "how": self.oracle.how, "points": self.oracle.points}
        return {"schema": SCHEMA, "id": self.id, "word": self.word, "steps": steps, "oracle": oracle,
                "warnings": list(self.warnings)}  # fmt: skip

    def __repr__(self) -> str:
        count = f"{len(self.steps)} step{'' if len(self.steps) == 1 else 's'}"
        refuted = "".join(f"\n{sentence}" for sentence in self.refutations())
        return f"{self.id}: {self.word}, {count}; counted a second way: {self.oracle.how}{refuted}"

    def _repr_html_(self) -> str:
        rows = [(s.line, s.relation, s.verdict.word, s.verdict.how) for s in self.steps]
        counted = ("", "", self.oracle.word, f"counted a second way: {self.oracle.how}")
        return tabled(
            ("line", "relation", "verdict", "how"), "r", [*rows, counted], f"{self.id}: {self.word}"
        )


def verified(what: Derivation) -> Verified:
    """Prove every step of a derivation and run its oracle."""
    found = verification.verify(what)
    return Verified(found.id, found.steps, found.oracle, found.warnings)
