"""The stretches of a file that are boxed or bold."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

MOST = 400  # characters that somebody boxes or sets bold
_OPENING = re.compile(r"\\(boxed|fbox|framebox|textbf|mathbf|bm)\s*\{|\*\*|__|<(?:b|strong)>")


@lru_cache(maxsize=1)
def emphasis_of(text: str) -> tuple[tuple[int, int, int], ...]:
    """The stretches of a file: how strong each is, where it begins and where it ends."""
    return tuple(sorted(_stretches(text), key=lambda stretch: stretch[1]))


def strength_at(text: str, offset: int) -> int:
    """5 where boxed, 4 where bold, else 0; a box may stand in bold, and bold in a box."""
    found = emphasis_of(text)
    last = bisect_right(found, offset, key=lambda stretch: stretch[1])
    return max(
        (s for s, start, end in found[max(0, last - 4) : last] if start <= offset < end), default=0
    )


def _stretches(text: str) -> Iterator[tuple[int, int, int]]:
    at = 0
    while (found := _OPENING.search(text, at)) is not None:
        at = found.end()
        if found[0].endswith("{"):
            yield (5 if "box" in found[1] else 4), at, _closing(text, at)
            continue
        end = text.find(found[0].replace("<", "</"), at, at + MOST)
        if end >= 0 and "\n" not in text[at:end]:
            if not _is_numbering(text[at:end]):
                yield 4, at, end
            at = end + len(found[0])


def _closing(text: str, start: int) -> int:
    """The brace that closes a box, or where it gets too long to be one."""
    depth = 1
    for at in range(start, min(len(text), start + MOST)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    return min(len(text), start + MOST)


def _is_numbering(text: str) -> bool:
    """`(3.1)` of an equation or a list."""
    inside = text.strip().strip("()（）")
    return inside != text.strip() and inside.replace(".", "").isdigit()
