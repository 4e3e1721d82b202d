"""Which letter of the key a letter of a hand-in is: by its own words, value, the sheet, its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from workings.grade.clauses import listed
from workings.grade.formulas import CARRIED
from workings.grade.wanted import Letter

_WORD = re.compile(r"[^\W\d_]{3,}")
_AROUND = 60  # characters that say what a letter is
_STEM = 5
_CUT = re.compile(r"[.,;:()$=<>≤≥。，；：\n]|\b(?:and|und|et|y|e)\b")


def letters_of(
    names: Iterable[str],
    wanted: Mapping[str, Letter],
    texts: Sequence[str],
    values: Mapping[str, Fraction],
    sheet: Mapping[str, str],
    asked: Sequence[str],
) -> dict[str, str] | None:
    """The key's letter for each name, or None where one is none of them; no letter is two names.

    A single name that nothing tells is the single letter of what is asked that is left.
    """
    found: dict[str, str] = {}
    for name in names:
        letter = (
            _by_words(name, wanted, texts)
            or _by_value(name, wanted, values)
            or _by_sheet(sheet.get(name, ""), wanted)
            or (name if name in wanted else _by_head(name, wanted))
        )
        found[name] = letter or ""
    known = [letter for letter in found.values() if letter]
    if len(known) < len(set(known)) or len(known) < len(found) - 1 or len(set(known)) < len(known):
        return None
    missing = [letter for letter in asked if letter not in known]
    if len(known) < len(found) and len(missing) != 1:
        return None
    return {name: letter or missing[0] for name, letter in found.items()}


def _by_words(name: str, wanted: Mapping[str, Letter], texts: Sequence[str]) -> str | None:
    """`Let d be the number of devices`, `the model state W`."""
    pattern = re.compile(rf"(?<![\w\\/*+^(·-]){re.escape(name)}(?![\w(]|\s?[-/*+^<>≤≥·])")
    for text in texts:
        for place in pattern.finditer(text):
            for words in _said(text, place.start(), place.end()):
                if (letter := _meant(words, wanted)) is not None:
                    return letter
    return None


def _said(text: str, start: int, end: int) -> Iterator[str]:
    """What is said of a letter behind it, if it is being defined; or before it."""
    behind = text[end : end + _AROUND].lstrip(" $")
    first = behind.split(" ", 1)[0].casefold().strip("$")
    if first in listed("defines") or behind[:1] in "是为表":
        yield _CUT.split(behind[len(first) :])[0]
    yield _CUT.split(text[max(0, start - _AROUND) : start].rstrip(" $"))[-1]


def _meant(words: str, wanted: Mapping[str, Letter]) -> str | None:
    """The letter whose meaning shares most with these words; None where two do as much, or none."""
    said = set(_stems(words))
    scores: list[tuple[float, str]] = []
    for name, letter in wanted.items():
        own = list(_stems(f"{letter.words} {letter.name.replace('-', ' ').replace('_', ' ')}"))
        shared = said.intersection(own)
        if shared:
            scores.append((len(shared) + (own[0] in shared) / 2 + len(shared) / len(own) / 4, name))
    scores.sort(reverse=True)
    return scores[0][1] if scores and (len(scores) < 2 or scores[0][0] > scores[1][0]) else None


def _stems(words: str) -> Iterator[str]:
    for word in _WORD.findall(words.casefold()):
        if word not in listed("empty"):
            yield "devic" if word.rstrip("s") in listed("device") else word[:_STEM]


def _by_value(name: str, wanted: Mapping[str, Letter], values: Mapping[str, Fraction]) -> str | None:
    if name not in values:
        return None
    fits = [
        letter for letter, one in wanted.items()
        if one.value and abs(values[name] / one.value - 1) <= CARRIED
    ]  # fmt: skip
    return fits[0] if len(fits) == 1 else None


def _by_sheet(stands_for: str, wanted: Mapping[str, Letter]) -> str | None:
    """The letter that the sheet means: by the id or name of what it stands for, or its words."""
    for letter, one in wanted.items():
        if stands_for and stands_for in (letter, one.name, one.words):
            return letter
    return _meant(stands_for, wanted) if stands_for else None


def _by_head(name: str, wanted: Mapping[str, Letter]) -> str | None:
    """`N_FSDP` for N, where no other letter begins so."""
    head = name.partition("_")[0]
    fits = [letter for letter in wanted if letter.partition("_")[0] == head]
    return fits[0] if len(fits) == 1 else None
