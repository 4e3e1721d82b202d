"""What people make of formulas of the catalogue: the wrong forms of each entry, and what went wrong.

Forms are written in the entry's own letters. The right form is the entry's result; `right` are others
that hold under a convention.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

SLIPS = "slips"  # the chapter of terms that entries are spoken of in


class Slip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong form, in a word or two and in a sentence that says what it is and what is right."""

    id: str
    form: str
    says: str


class Slips(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The slips of one entry.

    `about` are patterns of terms that a page has to speak of where it makes one (see `patterns.py`), and
    `unless` what it must not. `times` are concepts that a page may multiply or divide by beside the form.
    `despite` are other entries whose formula a slip is, where `about` and `unless` tell which is meant.
    """

    entry: str
    about: str
    slip: tuple[Slip, ...]
    unless: str = ""
    right: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    despite: tuple[str, ...] = ()


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a chapter."""

    entry: tuple[Slips, ...] = ()


@cache
def slips() -> tuple[Slips, ...]:
    """The slips of every entry that has some, chapter by chapter."""
    paths = sorted(Path(__file__).parent.glob("*.toml"))
    chapters = (msgspec.toml.decode(path.read_bytes(), type=Chapter) for path in paths)
    return tuple(one for chapter in chapters for one in chapter.entry)
