r"""What the text of a step says that its formula does not: `T(8)` is no product, `1 GPU` is no bare 1."""

from __future__ import annotations

import re

from workings.formula.page.words import NOUNS

_APPLIED = re.compile(
    r"(?<![A-Za-z0-9_\\])(?:[A-Za-z]|\\[A-Za-z]{2,12}|[A-Za-z]_(?:[A-Za-z0-9]|\{[^{}]{0,40}\}))"
    r"(?:\\left)?\(\s*(?:[A-Za-z]|[0-9][0-9.,]*)\s*(?:,\s*[A-Za-z0-9.]{1,20}\s*)*(?:\\right)?\)"
)
_COUNTED = re.compile(
    r"^\W*[0-9][0-9.,]*\s*[A-Za-z]{0,2}\s+(?:[A-Za-z][A-Za-z-]*\s+){0,2}([A-Za-z][A-Za-z0-9-]*)[\s$*)]*$"
)
_LAST_WORD = re.compile(r"([A-Za-z\u3400-\u9fff]+)[\s$*)}]*$")


def applies_function(text: str) -> bool:
    r"""Whether a side holds a letter with one argument in brackets: `T(8)`, `P(A)`, `f_\theta(x)`."""
    return bool(_APPLIED.search(text))


def converts(left: str, right: str) -> bool:
    """Whether one thing counted is said to be something else: `1 GPU = 80 GB`, `2 nodes = 16 chips`."""
    counted, last = _COUNTED.match(left), _LAST_WORD.search(right)
    if counted is None or last is None or not NOUNS & {counted[1], counted[1].lower()}:
        return False
    return counted[1].lower().rstrip("s") != last[1].lower().rstrip("s")
