"""The files of this folder: terms with their phrases, and facts with the forms that deny them.

A folder is a chapter, whose facts use its own terms and those of the files beside the folders, which all
chapters share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

Phrases = Mapping[str, Sequence[str]]  # by language
_HERE = Path(__file__).parent
SHARED = ""  # the name of the chapter that all share


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


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one file holds.

    A phrase hides shorter ones of other terms inside it. Where a chapter has `hides`, only those that it
    names for a term are hidden, or all with `*`.
    """

    terms: dict[str, dict[str, tuple[str, ...]]] = {}
    hides: dict[str, tuple[str, ...]] = {}
    fact: tuple[Fact, ...] = ()


class Chapter(msgspec.Struct, frozen=True):
    """The terms and facts of a folder; a term has the phrases that all of its files give it."""

    terms: Mapping[str, Phrases]
    hides: Mapping[str, tuple[str, ...]]
    facts: tuple[Fact, ...]


@cache
def chapters() -> Mapping[str, Chapter]:
    """Every folder by its name, and the shared files as the chapter without one."""
    folders = sorted(path for path in _HERE.iterdir() if path.is_dir() and any(path.glob("*.toml")))
    return {SHARED: _chapter(_HERE), **{path.name: _chapter(path) for path in folders}}


def _chapter(folder: Path) -> Chapter:
    files = [msgspec.toml.decode(path.read_bytes(), type=File) for path in sorted(folder.glob("*.toml"))]
    terms: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        for term, phrases in file.terms.items():
            for language, of in phrases.items():
                terms[term][language] += of
    hides = {term: of for file in files for term, of in file.hides.items()}
    return Chapter(terms, hides, tuple(fact for file in files for fact in file.fact))


def facts() -> tuple[Fact, ...]:
    """The facts of all chapters."""
    return tuple(fact for chapter in chapters().values() for fact in chapter.facts)
