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
_FIRST = (1, 2, 3, 4, 6, 9, 12)  # how many signs of a phrase it is looked up by: the most that it has


@dataclass(frozen=True, slots=True)
class Hit:
    """A term that a stretch of a text names."""

    term: str
    start: int
    end: int


@dataclass(frozen=True)
class Phrase:
    """A phrase of a term: in small letters, cut at every `*`, where a word may go on."""

    term: str
    text: str
    parts: tuple[str, ...] = field(compare=False)

    def end(self, folded: str, at: int) -> int:
        """Where it ends in a text that it stands in from a place on, or -1."""
        for number, part in enumerate(self.parts):
            while number and at < len(folded) and _is_latin(folded[at]):
                at += 1
            if not folded.startswith(part, at):
                return -1
            at += len(part)
        whole = not _is_latin(folded[at - 1]) or at == len(folded) or not _is_latin(folded[at])
        return at if whole else -1


def phrase(term: str, text: str) -> Phrase:
    """Read a phrase."""
    folded, _ = _folded(" ".join(text.split()))
    return Phrase(term, text, tuple(folded.split("*")))


def _folded(text: str) -> tuple[str, list[int]]:
    """A text in small letters with one space for each gap, and the place of each of its signs."""
    signs, places = list[str](), list[int]()
    for place, sign in enumerate(text):
        small = " " if sign in _GAP else sign.lower()
        if small != " " or signs[-1:] != [" "]:
            signs += small
            places += [place] * len(small)
    return "".join(signs), [*places, len(text)]


def _is_latin(sign: str) -> bool:
    """Whether a sign is of a word in a script with spaces."""
    return sign.isalnum() and sign < _RUNNING


@dataclass(frozen=True)
class Terms:
    """All phrases of some languages, by the first signs of their first word."""

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
        folded, places = _folded(text)
        for at, sign in enumerate(folded):
            if at and _goes_on(folded[at - 1], sign):
                continue
            for many in _FIRST:
                for one in self.phrases.get(folded[at : at + many], ()):
                    end = one.end(folded, at)
                    start, stop = places[at], places[end - 1] + 1
                    if end > 0 and (len(one.text) >= _CASED or text[start:stop] == one.text):
                        yield Hit(one.term, start, stop)


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
                one = phrase(term, text)
                many = max(n for n in _FIRST if n <= len(one.parts[0]))
                found[one.parts[0][:many]][one] = None
    return Terms({begins: tuple(of) for begins, of in found.items()}, chapter)
