"""LaTeX within names and words: its braces, and what is left without its markup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

MAX_NAME = 80
_BRACE = re.compile(r"[{}]")


def plain_words(latex: str) -> str:
    """Words without LaTeX markup."""
    without = re.sub(r"\\(?:text\w*|math\w+|rm|bf|it)\b", "", latex)
    without = re.sub(r"\\[,;:! ]|~", " ", without).replace("\\_", "_").replace("\\#", "#")
    return re.sub(r"[{}\\$]", "", without)


def cleaned(index: str) -> str:
    """A subscript as part of a name: letters, digits, commas and plus signs."""
    return re.sub(r"[^A-Za-z0-9,+\u3400-\u9fff]", "", plain_words(index))[:MAX_NAME]


def closing(text: str, brace: int) -> int:
    """The offset behind the brace that closes the one at `brace`, or the end of the text."""
    return _closings(text).get(brace, len(text))


@lru_cache(maxsize=8)
def _closings(text: str) -> Mapping[int, int]:
    """Behind which offset every brace of a text is closed, found in one pass."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        at = match.start()
        if text[at - 1 : at] == "\\" and text[max(0, at - 2) : at] != "\\\\":
            continue
        if match.group() == "{":
            opened.append(at)
        elif opened:
            found[opened.pop()] = at + 1
    return found
