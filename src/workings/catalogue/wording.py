"""Texts as terms: words in their plain form, pairs of neighbours, and pairs of Chinese characters.

The words that the field uses for one thing are one term; `words.toml` says which they are, which say
nothing, and which are of neighbouring fields.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*|[\u4e00-\u9fff]+")


def terms_of(text: str) -> tuple[str, ...]:
    """Words in their plain form, then pairs of neighbours; first, of Chinese, pairs of characters."""
    return read(text)[0]


@cache
def read(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """A text's terms, and the single words that they join: "hybrid" finds "hybrid sharding" too."""
    if not text.isascii():
        text = _chinese().sub(lambda found: f" {known_words()['chinese'][found[0]]} ", text)
    wording = wording_of(text)
    parts = (part for word in wording if word[0] >= "\u4e00" for part in idle_chinese().split(word))
    pairs = [part[i : i + 2] for part in parts for i in range(max(1, len(part) - 1)) if part]
    words = [word for word in wording if word[0] < "\u4e00"]
    singles = {_plain(word) for word in words if word not in idle()}
    kept = [_plain(word) for word in _joined(words) if word not in idle()]
    terms = (*pairs, *kept, *(f"{a}+{b}" for a, b in pairwise(kept)))
    return terms, frozenset(singles - {*terms})


def wording_of(text: str) -> tuple[str, ...]:
    """The words of a text as they stand, without its signs and without accents."""
    return tuple(_WORD.findall(_ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()))


@cache
def _plain(word: str) -> str:
    """A word in the form in which its kin are all the same."""
    return same().get(word, same().get(_stem(word), _stem(word)))


def _joined(words: list[str]) -> list[str]:
    """Neighbours that are together one word of the field, as that word, the most of them first."""
    out: list[str] = []
    at = 0
    while at < len(words):
        together, long = _together(words, at) if words[at] in _beginnings() else (words[at], 1)
        out.append(together)
        at += long
    return out


def _together(words: list[str], at: int) -> tuple[str, int]:
    """The word of the field that begins here, and of how many: "all reduce" is one, and "1f1b" four."""
    for long in (4, 3, 2):
        together = "".join(words[at : at + long])
        if at + long <= len(words) and together in same():
            return together, long
    return words[at], 1


@cache
def _beginnings() -> frozenset[str]:
    """What a word of `same` may begin with: most words begin none, and need not be joined to see it."""
    return frozenset(word[:size] for word in same() for size in range(1, len(word)))


def _stem(word: str) -> str:
    """A word without its commonest endings."""
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + rest
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":  # "cutting" is of "cut"
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


@cache
def same() -> Mapping[str, str]:
    """Each word of a group of `same` to its first; two words written apart are one there."""
    groups = known_words()["same"]
    found = {}
    for first, others in groups.items():
        for word in (first, *others):
            joined = re.sub(r"[^a-z0-9]", "", word)
            found[joined] = found[_stem(joined)] = first
    return found


@cache
def idle() -> frozenset[str]:
    """The words that say nothing, of languages that part their words."""
    return frozenset(
        word for name, words in known_words()["idle"].items() if name != "zh" for word in words
    )


@cache
def _chinese() -> re.Pattern[str]:
    """The field's Chinese words, the longest first."""
    return re.compile("|".join(sorted(known_words()["chinese"], key=len, reverse=True)))


@cache
def idle_chinese() -> re.Pattern[str]:
    """The Chinese words that say nothing, the longest first."""
    return re.compile("|".join(sorted(known_words()["idle"]["zh"], key=len, reverse=True)))


@cache
def known_words() -> Mapping[str, Mapping[str, list[str]]]:
    """What `words.toml` holds, by table."""
    text = (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def elsewhere() -> frozenset[str]:
    """The words, and pairs of words, of neighbouring fields, as terms."""
    found = (terms_of(text) for texts in known_words()["elsewhere"].values() for text in texts)
    return frozenset(terms[-1] for terms in found if terms)


def name_of(text: str) -> str:
    """A text as a name: words, unless it is one word with hyphens, as ids are."""
    text = text.strip().casefold()
    return text if _ID.fullmatch(text) else " ".join(wording_of(text))
