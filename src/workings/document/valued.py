"""The values that letters have in worked formulas, and where one of them has two on a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from workings.formula import Expr, Name
from workings.values.worked import Worked

if TYPE_CHECKING:
    from workings.document.page import Page


@dataclass(frozen=True, slots=True)
class Valued:
    """The value of a letter in a worked formula, as it is printed there; `line` is that of the source."""

    value: Fraction
    shown: str
    entry: str
    line: int


def note_values(done: Worked, settings: str, names: Mapping[str, Expr], page: Page, line: int) -> None:
    """Remember what each letter of a worked formula comes to, and where it came to something else.

    A letter that differs because the source sets something differently is meant to.
    """
    for name, one in _values(done, line):
        glyph = names.get(name)
        if not isinstance(glyph, Name):
            continue
        other = page.valued.setdefault((glyph.id, settings), one)
        if other.value != one.value:
            where = f"in line {other.line + page.source.first_line}"
            page.doubled.append((line, (
                f"{glyph.id} is {one.shown} in {one.entry} and {other.shown} in {other.entry} {where}, "
                "which a reader takes for one value, unless words or a letter of its own tell them apart"
            )))  # fmt: skip


def _values(done: Worked, line: int) -> Iterator[tuple[str, Valued]]:
    entry = done.derivation.id
    for one in done.inputs:
        yield one.letter, Valued(one.value, str(one.shown), entry, line)
    if done.derivation.head is not None:
        yield done.derivation.head, Valued(done.value, str(done.shown), entry, line)
