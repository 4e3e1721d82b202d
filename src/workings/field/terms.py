"""What the words of a text name: terms of this field, each with phrases in several languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from workings.field.topics import SHARED, chapters

# A `*` stands for any ending of a word, and a space for any space or hyphen.
_GAP = frozenset(" \t\n\u00a0-‐‑–_~")
_RUNNING = "\u3000"  # from here on scripts have no spaces, or endings without any
_CASED = 3  # shorter phrases, such as TP and N, are as they are written


@dataclass(frozen=True, slots=True)
class Hit:
    """A term that a stretch of a text names."""

    term: str
    start: int
    end: int


@dataclass(frozen=True)
class Phrase:
    """A phrase of a term: its words in small letters, a `*` behind those that may go on."""

    term: str
    text: str
    words: tuple[str, ...] = field(compare=False)

    def end(self, folded: str, at: int) -> int:
        """Where it ends in a text that it stands in from a place on, or -1."""
        for number, word in enumerate(self.words):
            after = _without_gap(folded, at) if number else at
            stem = word.removesuffix("*")
            if (number and after == at) or not folded.startswith(stem, after):
                return -1
            at = after + len(stem)
            while word.endswith("*") and at < len(folded) and _is_latin(folded[at]):
                at += 1
        whole = not _is_latin(folded[at - 1]) or at == len(folded) or not _is_latin(folded[at])
        return at if whole else -1


def _without_gap(text: str, at: int) -> int:
    while at < len(text) and text[at] in _GAP:
        at += 1
    return at


def _is_latin(sign: str) -> bool:
    """Whether a sign is of a word in a script with spaces."""
    return sign.isalnum() and sign < _RUNNING


@dataclass(frozen=True)
class Terms:
    """All phrases of some languages, by the two signs that they begin with, or the only one."""

    phrases: Mapping[str, tuple[Phrase, ...]] = field(repr=False)
    chapter: str = SHARED

    def hits(self, text: str) -> tuple[Hit, ...]:
        """Every term in a text but those that longer phrases hide."""
        kept, around = list[Hit](), list[Hit]()
        for hit in sorted(set(self._all(text)), key=lambda hit: (hit.start, -hit.end)):
            around = [
                other for other in around if other.end > hit.start
            ]  # what begins before, longer first
            if not any(_inside(hit, other) and self._hides(other.term, hit.term) for other in around):
                kept.append(hit)
            around.append(hit)
        return tuple(kept)

    def _hides(self, longer: str, shorter: str) -> bool:
        """Whether phrases of one term hide those of another: all do where no chapter says which."""
        hides = chapters()[self.chapter].hides
        return not hides or bool({"*", shorter} & set(hides.get(longer, ())))

    def _all(self, text: str) -> Iterator[Hit]:
        folded = text.lower()
        for at, sign in enumerate(folded):
            if at and _goes_on(folded[at - 1], sign):
                continue
            for begins in (sign, folded[at : at + 2]):
                for phrase in self.phrases.get(begins, ()):
                    end = phrase.end(folded, at)
                    if end > 0 and (len(phrase.text) >= _CASED or text[at:end] == phrase.text):
                        yield Hit(phrase.term, at, end)


def _goes_on(before: str, sign: str) -> bool:
    """Whether a sign is inside a word; `10N` are two."""
    return _is_latin(before) and _is_latin(sign) and before.isdigit() == sign.isdigit()


def _inside(hit: Hit, other: Hit) -> bool:
    within = other.start <= hit.start and hit.end <= other.end
    return within and hit.term != other.term and other.end - other.start > hit.end - hit.start


def _read_in(languages: frozenset[str]) -> list[str]:
    """The lists of phrases that are read: what other languages mean otherwise (`no`) only in English."""
    return [*sorted(languages | {"en"}), *(["english"] if "en" in languages else [])]


@cache
def terms_of(
    languages: frozenset[str], chapter: str = SHARED, only: frozenset[str] = frozenset()
) -> Terms:
    """The terms of a chapter as these languages say them, and English, which all of them mix in."""
    found: dict[str, dict[Phrase, None]] = defaultdict(dict)
    for name in dict.fromkeys((SHARED, chapter)):
        for term, phrases in chapters()[name].terms.items():
            if only and term not in only:
                continue
            for text in (text for one in _read_in(languages) for text in phrases.get(one, ())):
                words = tuple(text.lower().split())
                found[words[0].removesuffix("*")[:2]][Phrase(term, text, words)] = None
    return Terms({begins: tuple(of) for begins, of in found.items()}, chapter)
