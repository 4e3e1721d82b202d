"""The clause that a figure stands in, and what is said before it."""

from __future__ import annotations

import re
from dataclasses import dataclass

CONTEXT = 200  # characters around a figure that may say what it is

_CUT = re.compile(r"[,;](?=\s)|[(（)），、；–—]|\b(?:and|or|und|oder|et|ou|y)\b|[和或而]", re.IGNORECASE)
_FIGURE = re.compile(r"(?<![A-Za-z_])[0-9]")


@dataclass(frozen=True)
class Clause:
    """What stands `before` and `behind` a figure in its clause, and what goes before that.

    `lead` is the sentence before the clause, `earlier` the paragraph before the sentence.
    """

    before: str = ""
    behind: str = ""
    lead: str = ""
    earlier: str = ""


def clause_around(text: str, figure: tuple[int, int], sentence: tuple[int, int]) -> Clause:
    """The clause of a figure `text[start:end]` within its sentence."""
    start, end = figure
    first, last = max(sentence[0], start - CONTEXT), min(sentence[1], end + CONTEXT)
    cuts = [first, *_cuts(text, first, last), last]
    begin = max(cut for cut in cuts if cut <= start)
    stop = min(cut for cut in cuts if cut >= end)
    return Clause(
        before=text[begin:start], behind=text[end:stop], lead=text[first:begin],
        earlier=text[max(0, sentence[0] - CONTEXT) : sentence[0]],
    )  # fmt: skip


def _cuts(text: str, first: int, last: int) -> list[int]:
    """Where one clause ends and the next begins; words without a figure belong to what follows them.

    At the end of a sentence they belong to what they follow.
    """
    found: list[int] = []
    begin = first
    for cut in _CUT.finditer(text, first, last):
        if _FIGURE.search(text, begin, cut.start()):
            found.append(cut.end())
            begin = cut.end()
    return found if _FIGURE.search(text, begin, last) else found[:-1]
