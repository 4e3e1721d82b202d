"""The lines of an answer form, as writers and readers know them: one for each thing asked, by a label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from workings.grade.file import Answer, Part

DIGITS = 6  # of the hash of a sheet without variants
_NOT_OF_LABELS = re.compile(r"[\[\]［］:：\s]+")


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The line for one answer: `2 (c)`, with the answer's words where its part asks for several."""

    part: str
    answer: Answer
    label: str


def lines_of(parts: Sequence[Part]) -> tuple[Line, ...]:
    """The lines of a key's parts, in order."""
    return tuple(
        Line(part.id, one, label)
        for part in parts
        for one, label in zip(part.answer, _labels(part), strict=True)
    )


def _labels(part: Part) -> list[str]:
    """A label for each answer of a part; words that say nothing apart get a number."""
    name = _plain(part.title or part.id)
    if len(part.answer) == 1:
        return [name]
    words = [_plain(one.words) for one in part.answer]
    alike = len(set(words)) < len(words) or not all(words)
    return [f"{name}, {f'{n}. {said}'.strip() if alike else said}" for n, said in enumerate(words, 1)]


def _plain(text: str) -> str:
    """Words on one line, without the signs that end a label."""
    return _NOT_OF_LABELS.sub(" ", text).strip()


def version_of(title: str, parts: Sequence[Part]) -> str:
    """Six digits of a hash of what a sheet asks, so that a form of another sheet is told."""
    said = "\0".join((title, *(f"{one.title}\0{one.question}" for one in parts)))
    return sha256(said.encode("utf-8", "replace")).hexdigest()[:DIGITS]
