"""A token of a page, and the letters and names that decide what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Dialect = Literal["math", "code", "text"]
PageKind = Literal[
    "number", "name", "word", "words", "operator", "relation", "open", "close", "comma", "frac",
    "sqrt", "function", "sum", "break", "stop", "odd", "percent", "money", "end",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PageToken:
    """One token: `glued` if nothing stood before it; `words` is prose inside \\text{…}."""

    kind: PageKind
    text: str
    start: int
    end: int
    dialect: Dialect
    glued: bool = False
    limits: tuple[str, str, str] = ("", "", "")  # of a sum: index, lower, upper
    region: int = -1  # which mark of the block it stands in; formulas do not run on into the next


@dataclass(frozen=True, slots=True)
class Symbols:
    """The letters and the longer names that a document uses in its formulas."""

    letters: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
