"""Numbers of labels in words beside what a question is called: `Question the first`, `Aufgabe zwei b`."""

from __future__ import annotations

import re
from functools import lru_cache

from workings.grade.choosing_words import number_said
from workings.grade.clauses import listed

MOST = 12
_WORD = re.compile(r"[^\W\d_]+")
_ROW = re.compile(r"[\W_]*[^\W\d_]+(?:[ .,-]{1,2}[^\W\d_]+)*")  # words with nothing but spaces between
_ARTICLES = frozenset((
    "the", "der", "die", "das", "den", "dem", "la", "le", "les", "el", "il", "lo", "o", "a", "os", "as",
    "de", "het", "det", "af", "of", "no", "nr",
))  # fmt: skip
_LETTER = re.compile(r"\s(?=[a-l](?:\s*(?:[.:)\],]|$)))", re.MULTILINE)


def in_digits(signs: str, starts: list[int]) -> tuple[str, list[int]]:
    """The signs of a line with such a number in digits, and where each of them stands in the text."""
    row = _ROW.match(signs)
    words = list(_WORD.finditer(row[0]))[:5] if row is not None else []
    for at, word in enumerate(words):
        value = _beside(tuple(one[0] for one in words), at)
        if not value:
            continue
        first = words[at - 1].start() if at and words[at - 1][0] in _ARTICLES else word.start()
        end = word.end()
        gap = _LETTER.match(signs, end)
        rest = gap.end() if gap else end
        place = [starts[first]] * len(value)
        return signs[:first] + value + signs[rest:], [*starts[:first], *place, *starts[rest:]]
    return signs, starts


@lru_cache(maxsize=4096)
def _beside(words: tuple[str, ...], at: int) -> str:
    """The number that a word says which stands beside what a question is called; else nothing."""
    before = [word for word in words[:at] if word not in _ARTICLES]
    names = listed("part") - {"point"}  # seven point five
    named = bool(before) and before[-1] in names and len(before) == 1
    led = not before and words[at + 1 : at + 2] and words[at + 1] in names
    if words[at] in names or words[at] in _ARTICLES or len(words[at]) < 2 or not (named or led):
        return ""
    value = number_said(words[at])
    return value if value.isdecimal() and 0 < int(value) <= MOST else ""
