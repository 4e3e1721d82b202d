"""What solving gives: the first value that keeps a condition, or a letter in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workings.contract import SCHEMA
from workings.derivation import Derivation
from workings.formula import Expr, plain
from workings.units import Dimension, Format, show, show_beside
from workings.values.displayed import closed_latex
from workings.values.tabled import inert, tabled

STYLE = Format(digits=6, fit=True)


@dataclass(frozen=True, repr=False)
class Solution:
    """Where a letter keeps a limit; values are exact, in base units.

    For a letter that counts: the first whole number `at`, the result there and one before; where the
    condition bounds it from above alone, the last one, and the first one `after` with the result there.
    For others: the open `ranges` (no upper end: None). Neither: `why` names what stays too large.
    `notices` say what else is to be known.
    """

    derivation: Derivation
    letter: str
    relation: str
    limit: Fraction
    at: Fraction | None = None
    value_at: Fraction | None = None
    value_before: Fraction | None = None
    after: Fraction | None = None
    value_after: Fraction | None = None
    ranges: tuple[tuple[Fraction, Fraction | None], ...] = ()
    why: str = ""
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What `workings solve --format json` prints: exact values as fractions of base units."""
        exact = {"limit": self.limit, "at": self.at, "value_at": self.value_at,
                 "value_before": self.value_before, "after": self.after,
                 "value_after": self.value_after}  # fmt: skip
        return {
            "schema": SCHEMA, "id": self.derivation.id, "letter": self.letter, "relation": self.relation,
            **{name: None if value is None else str(value) for name, value in exact.items()},
            "ranges": [[str(low), None if high is None else str(high)] for low, high in self.ranges],
            "why": self.why, "notices": list(self.notices),
        }  # fmt: skip

    @property
    def limit_shown(self) -> str:
        """The limit as it is printed."""
        return _shown(self.limit, self.derivation.unit)

    def beside(self, value: Fraction) -> str:
        """A result in the unit of the limit, with as many digits as it takes to stand on its own side."""
        unit = STYLE.unit_for(self.derivation.unit, self.limit)
        return str(show_beside(value, self.limit, unit, STYLE))

    def ranges_shown(self, letter: str) -> str:
        """The ranges as conditions on a letter: `C < 675 TFLOP/s`."""
        dimension = self.derivation.letters[self.letter].dimension
        parts = []
        for low, high in self.ranges:
            bounds = [f"{letter} > {_shown(low, dimension)}"] if low else []
            bounds += [f"{letter} < {_shown(high, dimension)}"] if high else []
            parts.append(" and ".join(bounds) or f"every {letter}")
        return " or ".join(parts)

    def __repr__(self) -> str:
        said = f"{self.derivation.id} {self.relation} {self.limit_shown}: "
        if self.at is None or self.value_at is None:
            return said + (self.ranges_shown(self.letter) or f"none: {self.why}")
        there = f"{self.letter} = {int(self.at):,} gives {self.beside(self.value_at)}"
        if self.after is not None and self.value_after is not None:
            return f"{said}{there}, {int(self.after):,} gives {self.beside(self.value_after)}"
        if self.value_before is None:
            return said + there
        return f"{said}{there}, {int(self.at) - 1:,} gives {self.beside(self.value_before)}"

    def _repr_html_(self) -> str:
        condition = f"{self.relation} {self.limit_shown}"
        if self.at is None or self.value_at is None:
            return tabled(("",), "", [(repr(self),), *((said,) for said in self.notices)])
        rows: list[tuple[str, str, str]] = []
        if self.value_before is not None:
            rows.append((f"{int(self.at) - 1:,}", self.beside(self.value_before), "no"))
        rows.append((f"{int(self.at):,}", self.beside(self.value_at), "yes"))
        if self.after is not None and self.value_after is not None:
            rows.append((f"{int(self.after):,}", self.beside(self.value_after), "no"))
        title = f"{self.letter} = {int(self.at):,}{', the largest' if self.after else ''}"
        made = tabled((self.letter, self.derivation.id, condition), "rrl", rows, title)
        return "\n".join([made, *(f"<p>Note: {inert(said)}</p>" for said in self.notices)])


@dataclass(frozen=True, repr=False)
class ClosedForm:
    """A letter, or the result, in closed form as SymPy finds it; several where it has more solutions."""

    derivation: Derivation
    letter: str
    relation: str
    forms: tuple[Expr, ...]

    @property
    def form(self) -> Expr:
        """The first of them."""
        return self.forms[0]

    def to_dict(self) -> dict[str, Any]:
        """What `workings simplify --format json` prints, and `solve` without a condition."""
        return {
            "schema": SCHEMA, "id": self.derivation.id, "letter": self.letter, "relation": self.relation,
            "forms": [plain(form, units=False) for form in self.forms],
        }  # fmt: skip

    def __repr__(self) -> str:
        return "\n".join(f"{self.letter} {self.relation} {plain(f, units=False)}" for f in self.forms)

    def _repr_latex_(self) -> str:
        return closed_latex(self)


def _shown(value: Fraction, dimension: Dimension) -> str:
    return str(show(value, STYLE.unit_for(dimension, value), STYLE))
