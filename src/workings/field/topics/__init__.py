"""The files of this folder: terms with their phrases, and facts with the forms that deny them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

Phrases = Mapping[str, tuple[str, ...]]  # by language


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that is so, in a sentence, and the forms in which people say that it is not.

    `wrong` are patterns of terms (see `patterns.py`); `about` has to be spoken of in the sentence, just
    before it, or in its heading. `entry` is the formula of the catalogue that shows it. `bad` are
    sentences that it accuses, `good` such as might fool it.
    """

    id: str
    says: str
    wrong: tuple[str, ...]
    bad: tuple[str, ...]
    good: tuple[str, ...]
    entry: str = ""
    about: str = ""
    unless: str = ""


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one file holds."""

    terms: dict[str, dict[str, tuple[str, ...]]] = {}
    fact: tuple[Fact, ...] = ()


@cache
def topics() -> tuple[Topic, ...]:
    """Every file, by name."""
    paths = sorted(Path(__file__).parent.glob("*.toml"))
    return tuple(msgspec.toml.decode(path.read_bytes(), type=Topic) for path in paths)


@cache
def facts() -> tuple[Fact, ...]:
    """The facts of all topics."""
    return tuple(fact for topic in topics() for fact in topic.fact)
