"""What the words of a text name: terms of this field, each with phrases in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from workings.field.topics import topics

# A phrase ends in `*` for any ending, and a space stands for any space or hyphen.
_GAP = r"[\s\-‐‑–_~]+"
_RUNNING = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)  # scripts without spaces, or with endings
_CASED = 3  # shorter phrases, such as TP and N, are as they are written


@dataclass(frozen=True, slots=True)
class Hit:
    """A term that a stretch of a text names."""

    term: str
    start: int
    end: int


@dataclass(frozen=True)
class Terms:
    """All phrases of some languages, by the signs that they begin with."""

    phrases: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = field(repr=False)

    def hits(self, text: str) -> tuple[Hit, ...]:
        """Every term in a text; a phrase inside a longer one of another term is none."""
        found = sorted(set(self._all(text)), key=lambda hit: (hit.start, -hit.end))
        return tuple(hit for hit in found if not any(_inside(hit, other) for other in found))

    def _all(self, text: str) -> Iterator[Hit]:
        folded = text.casefold() if len(text.casefold()) == len(text) else text.lower()
        for at, sign in enumerate(folded):
            if at and _goes_on(folded[at - 1], sign):
                continue
            for key in (sign, folded[at : at + 2]):
                for pattern, term in self.phrases.get(key, ()):
                    if match := pattern.match(text, at):
                        yield Hit(term, at, match.end())


def _goes_on(before: str, sign: str) -> bool:
    """Whether a sign is inside a word; `10N` are two."""
    if not (before.isalnum() and sign.isalnum()) or _RUNNING.match(before) or _RUNNING.match(sign):
        return False
    return before.isdigit() == sign.isdigit()


def _inside(hit: Hit, other: Hit) -> bool:
    within = other.start <= hit.start and hit.end <= other.end
    return within and hit.term != other.term and other.end - other.start > hit.end - hit.start


@cache
def terms_of(languages: frozenset[str], only: frozenset[str] = frozenset()) -> Terms:
    """The terms of all topics as these languages say them, and English, which all of them mix in."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for term, phrase in _phrases(languages | {"en"}):
        if not only or term in only:
            found.setdefault(phrase.casefold()[:2], {})[phrase, term] = None
    return Terms(
        {key: tuple((_pattern(phrase), term) for phrase, term in of) for key, of in found.items()}
    )


def _phrases(languages: Iterable[str]) -> Iterator[tuple[str, str]]:
    for topic in topics():
        for term, phrases in topic.terms.items():
            for language in languages:
                yield from ((term, phrase) for phrase in phrases.get(language, ()))


def _pattern(phrase: str) -> re.Pattern[str]:
    """A phrase as it may stand in a text."""
    stem = phrase.removesuffix("*")
    text = _GAP.join(re.escape(word) for word in stem.split())
    if stem[-1].isalnum() and not _RUNNING.match(stem[-1]):
        text += r"\w*" if phrase.endswith("*") else r"(?![^\W_])"
    return re.compile(text, re.NOFLAG if len(phrase) < _CASED else re.IGNORECASE)
