"""The clause that a figure stands in, and what is said before it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workings.claims.marked import Amount, Mark, said

_WORDS = Path(__file__).parent / "words" / "beside.toml"
CONTEXT = 200  # characters around a figure that may say what it is


@dataclass(frozen=True)
class Clause:
    """What stands `before` and `behind` a figure in its clause, and what goes before that.

    `lead` is the sentence before the clause, `earlier` the paragraph before the sentence.
    """

    before: str = ""
    behind: str = ""
    lead: str = ""
    earlier: str = ""


@cache
def listed(key: str) -> frozenset[str]:
    """The words of a line of `words/beside.toml`."""
    return frozenset(tomllib.loads(_WORDS.read_text("utf-8"))[key])


def places(word: str, text: str) -> Iterator[int]:
    """Where a word stands; one or two letters alone: the N of `N = 1`, not that of `nothing`."""
    at = text.find(word)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(word) : at + len(word) + 1]
        if len(word) > 2 or not word.isascii() or not any(c.isascii() and c.isalnum() for c in around):
            yield at
        at = text.find(word, at + 1)


def stands(word: str, text: str) -> bool:
    """Whether a word stands in a text."""
    return next(places(word, text), None) is not None


def clause_around(text: str, marks: Sequence[Mark], start: int, end: int) -> Clause:
    """The clause of a figure `text[start:end]` within its sentence, which has these marks."""
    begin = marks[0].start
    first, last = max(begin, start - CONTEXT), min(marks[-1].end, end + CONTEXT)
    cuts = [first, *_cuts([mark for mark in marks if first <= mark.start < last]), last]
    opens, closes = max(c for c in cuts if c <= start), min(c for c in cuts if c >= min(end, last))
    earlier = text[max(0, begin - CONTEXT) : begin]
    return Clause(text[opens:start], text[end:closes], text[first:opens], earlier)


def _cuts(marks: Sequence[Mark]) -> list[int]:
    """Where one clause ends and the next begins; words without a figure belong to what follows them.

    At the end of a sentence they belong to what they follow.
    """
    found: list[int] = []
    figure = False
    for mark in marks:
        if isinstance(mark, Amount):
            figure = True
        elif figure and (said(mark, ",", "(", ")", "and", "or") or mark.text in ("–", "—")):
            found.append(mark.end)
            figure = False
    return found if figure else found[:-1]
