"""What stands on top of a handout: course, term, date, variant, fields to fill in, sum of points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workings.document.pieces import Line
from workings.document.wording import languages

PAPERS = ("a4", "letter")
MOST_FIELDS = 8
_MOST = 120  # characters of a line


@dataclass(frozen=True, slots=True)
class Cover:
    """What a page says of itself besides its title; `identity` are the fields to fill in on a sheet.

    `whose` are those that are filled in, each with its label: the student that a sheet is for.
    `hand_in` and `marking` say on a sheet how answers are handed in, and marked.
    """

    language: str = "en"
    course: str = ""
    term: str = ""
    date: str = ""
    identity: tuple[str, ...] = ()
    paper: str = ""
    points: float = 0.0
    variant: str = ""
    whose: tuple[tuple[str, str], ...] = ()
    hand_in: Line = ()
    marking: Line = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Course, term, date and variant, those that are said."""
        return tuple(one for one in (self.course, self.term, self.date, self.variant) if one)


def cover_of(front: Any, points: float) -> Cover:
    """The cover of a source with this front matter."""
    return Cover(
        front.language, front.course, front.term, str(front.date), tuple(front.identity),
        front.paper or "", points,
    )  # fmt: skip


def problems_of(front: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with the front matter of a handout: the key, and a sentence on it."""
    if front.language not in languages():
        known = ", ".join(languages())
        yield "language", f"language: found {front.language[:40]!r}, expected one of {known}"
    if front.paper is not None and front.paper not in PAPERS:
        yield "paper", f"paper: found {front.paper[:40]!r}, expected one of {', '.join(PAPERS)}"
    if not 0 <= front.follow_through <= 1:
        found = f"{front.follow_through:g}"
        yield "follow_through", f"follow_through: found {found}, expected a share from 0 to 1"
    for key in ("course", "term", "date"):
        if not _is_line(said := str(getattr(front, key))) and said:
            yield key, f"{key}: found {said[:40]!r}, expected one line of at most {_MOST} characters"
    if len(front.identity) > MOST_FIELDS or not all(map(_is_line, front.identity)):
        yield "identity", f"identity: expected at most {MOST_FIELDS} fields, each a line of words"


def _is_line(text: str) -> bool:
    return bool(re.fullmatch(rf"\S.{{0,{_MOST - 1}}}", text)) and text.isprintable()
