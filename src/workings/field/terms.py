"""What the words of a text name: terms of this field, each with phrases in several languages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from workings.field.topics import SHARED, chapters

# A `*` stands for any ending of a word, and a space for any space or hyphen.
_GAP = r"[\s\-‐‑–_~]+"
_SIGNS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # of scripts without spaces, or with endings
_RUNNING = re.compile(f"[{_SIGNS}]")
_OPEN = re.compile(r"\\\*$")  # the sign of 3*N is none
_HEAD = re.compile(r"[^\s*]+")
_CASED = 3  # shorter phrases, such as TP and N, are as they are written


@dataclass(frozen=True, slots=True)
class Hit:
    """A term that a stretch of a text names."""

    term: str
    start: int
    end: int


@dataclass(frozen=True)
class Phrase:
    """A phrase of a term, and the signs that it begins with."""

    term: str
    text: str
    head: str = field(compare=False)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The phrase as it may stand in a text."""
        words = (_OPEN.sub(lambda _: rf"[^\W{_SIGNS}]*", re.escape(word)) for word in self.text.split())
        end = self.text[-1].isalnum() and not _RUNNING.match(self.text[-1])
        flags = re.NOFLAG if len(self.text) < _CASED else re.IGNORECASE
        return re.compile(_GAP.join(words) + (rf"(?![^\W_{_SIGNS}])" if end else ""), flags)


@dataclass(frozen=True)
class Terms:
    """All phrases of some languages, by the two signs that they begin with, or the only one."""

    phrases: Mapping[str, tuple[Phrase, ...]] = field(repr=False)
    chapter: str = SHARED

    def hits(self, text: str) -> tuple[Hit, ...]:
        """Every term in a text but those that longer phrases hide."""
        found = sorted(set(self._all(text)), key=lambda hit: (hit.start, -hit.end))
        return tuple(
            hit
            for hit in found
            if not any(_inside(hit, other) and self._hides(other.term, hit.term) for other in found)
        )

    def _hides(self, longer: str, shorter: str) -> bool:
        """Whether phrases of one term hide those of another; all do where the chapter does not say which."""
        hides = chapters()[self.chapter].hides
        return not hides or bool({"*", shorter} & set(hides.get(longer, ())))

    def _all(self, text: str) -> Iterator[Hit]:
        folded = text.lower()
        for at, sign in enumerate(folded):
            if at and _goes_on(folded[at - 1], sign):
                continue
            for begins in (sign, folded[at : at + 2]):
                for phrase in self.phrases.get(begins, ()):
                    if folded.startswith(phrase.head, at) and (match := phrase.pattern.match(text, at)):
                        yield Hit(phrase.term, at, match.end())


def _goes_on(before: str, sign: str) -> bool:
    """Whether a sign is inside a word; `10N` are two."""
    if not (before.isalnum() and sign.isalnum()) or _RUNNING.match(before) or _RUNNING.match(sign):
        return False
    return before.isdigit() == sign.isdigit()


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
                head = _HEAD.match(text)
                if head is not None:
                    folded = head[0].lower()
                    found[folded[:2]][Phrase(term, text, folded)] = None
    return Terms({begins: tuple(of) for begins, of in found.items()}, chapter)
