"""The number that words of a language say, from a table that is made when it is first asked for.

What a number is called is the library's to say (`num2words`); `spoken.toml` adds the forms it leaves out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from workings.marks.languages import common, spoken

HEAD = 3  # letters by which most words are known for none
MOST_PLAIN = 20  # of what is counted in words, whatever the language
LEAST_BELOW = 11  # parts from there on are called by a rule
SCALES = (3, 6, 9, 12, 15)  # powers of ten that have a name of their own
_CASES = "gdaip"  # of Russian, which the library inflects
_NO_LETTER = re.compile(r"[\W\d_]+")
_ALONE = str.maketrans("łøıđß", "loids")


def folded(text: str) -> str:
    """Its letters alone, without accents, in small ones."""
    if text.isascii():
        return _NO_LETTER.sub("", text.casefold())
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss").translate(_ALONE))
    return _NO_LETTER.sub("", plain)


@dataclass(frozen=True)
class Spoken:
    """The number words of a language, folded."""

    small: Mapping[str, int]  # 0 to 999
    scales: tuple[tuple[str, int], ...]  # the largest first
    bare: frozenset[str]  # a thousand with no number before it: mille, tysiąc
    heads: frozenset[str]
    joins: frozenset[str]
    articles: frozenset[str]
    parts: Mapping[str, Fraction]  # behind a number: three quarters
    wholes: Mapping[str, Fraction]  # by themselves: half, twice
    over: Mapping[str, Fraction]  # before a number: dörtte bir
    halves: frozenset[str]  # behind a number: so much and a half
    between: frozenset[str]  # a number and such a half
    doubtful: frozenset[str]  # a share only before one of `like`, or where a clause ends
    like: frozenset[str]
    joined: frozenset[str]  # a number and such a part
    points: frozenset[str]  # before decimals
    times: tuple[str, ...]  # at the end of a multiple: zweimal

    def glued(self, key: str) -> Fraction | None:
        """What a word says that is made of a count and a part: driekwart, zweieinhalb, dreimal."""
        for end in self.times:
            head = key.removesuffix(end)
            if head != key and (many := self.glued(head) or self.number(head) or 0) > 1:
                return Fraction(many)
        for size in range(3, len(key) - 1):
            part, half = self.parts.get(key[size:]), key[size:] in self.halves
            if (part or half) and (many := self._headed(key[:size], half)):
                return many + Fraction(1, 2) if half else many / Fraction(part or 1)
        return None

    def _headed(self, head: str, half: bool) -> int:
        """The count before a glued part: before a half with “and” or “a” between; 0 for none."""
        if not half:
            return self.number(head) or 0
        for end in sorted(self.between, key=len, reverse=True):
            if end and head.endswith(end) and (many := self.number(head.removesuffix(end))):
                return many
        return 0

    def number(self, key: str) -> int | None:
        """The number that folded words say; None if they say none."""
        if key in self.small:
            return self.small[key]
        for word, value in self.scales:
            head, found, tail = key.partition(word)
            if not found or (key == word and word not in self.bare):
                continue
            many = self.number(head) if head else 1
            more = self.number(tail) if tail else 0
            if more is None:
                joined = next((j for j in self.joins if tail.startswith(j)), None)
                more = self.number(tail.removeprefix(joined)) if joined else None
            most = 100 if value == 100 else 10**6
            if many is not None and more is not None and 0 < many < most and more < value:
                return many * value + more
        return None

    def scale(self, key: str) -> int | None:
        """What a word is worth that stands behind digits: `1,3 miliarda`."""
        return next((value for word, value in self.scales if word == key), None)

    def begins(self, key: str) -> bool:
        """Whether a number may begin with a folded word."""
        return key[:HEAD] in self.heads


@cache
def number_words(language: str) -> Spoken:
    """The number words of a language of `spoken.toml`."""
    entry = spoken()[language]
    small: dict[str, int] = {}
    scales: dict[str, int] = {}
    libraries = [language, *entry.get("also", "").split()]
    joins = tuple(entry.get("joins", "").split())
    for number in range(1000):
        for text in _names(libraries, number, entry, joins):
            small.setdefault(text, number)
    for word, value in _scales(libraries, entry):
        scales.setdefault(word, value)
    ordered = tuple(sorted(scales.items(), key=lambda item: (item[1], len(item[0])), reverse=True))

    def words(key: str) -> frozenset[str]:
        return frozenset(map(folded, entry.get(key, "").split()))

    def table(key: str) -> dict[str, Fraction]:
        lines = entry.get(key, {}).items()
        return {folded(word): Fraction(value) for value, line in lines for word in line.split()}

    called, ending, other = entry.get("below", ("", "", ""))
    many = {
        folded(_said(language, n, called)[0].removesuffix(ending) + other): Fraction(n)
        for n in (range(LEAST_BELOW, 100) if called else ())
    }
    bare = frozenset(
        folded(name) for one in libraries for power in SCALES for name in _said(one, 10**power)
    )
    parts, wholes, over = {**many, **table("part")}, table("whole"), table("of")
    heads = frozenset(
        key[:HEAD] for key in (*small, *scales, *wholes, *over, *words("article"), *words("point"))
    )
    return Spoken(
        small, ordered, bare, heads, words("joins"), words("article"), parts, wholes, over,
        words("half") | frozenset(word for word, value in parts.items() if value == 2),
        words("joins") | words("article") | words("with"), words("doubtful"), words("like"),
        words("joins") | words("with"), words("point"), tuple(words("times")),
    )  # fmt: skip


def _names(
    libraries: list[str], number: int, entry: Mapping[str, Any], joins: tuple[str, ...]
) -> Iterator[str]:
    """Every folded form of what a number below a thousand is called."""
    one = str(entry.get("one", ""))
    for library in libraries:
        for text in _said(library, number):
            for form in (text, *_inflected(library, text, number, entry.get("form", {}))):
                yield folded(form)
                plain = " ".join(word for word in form.split() if word not in joins)
                if plain != form:
                    yield folded(plain)
                if one and 100 <= number < 200 and form.startswith(one):
                    yield folded(form.removeprefix(one))


@cache
def _said(library: str, number: int, called: str = "cardinal") -> tuple[str, ...]:
    """What the library calls a number, in the cases and genders that it knows."""
    from num2words import num2words  # noqa: PLC0415 – only where words are read

    found = [num2words(number, lang=library, to=called)]
    if library == "ru" and called == "cardinal":
        found += [num2words(number, lang=library, case=case) for case in _CASES]
        found.append(num2words(number, lang=library, gender="f"))
    return tuple(found)


def _inflected(library: str, text: str, number: int, forms: Mapping[str, str]) -> Iterator[str]:
    """The text with other forms of the numbers that it is made of."""
    places = {10 * (number % 100 // 10), number % 100 if number % 100 < 20 else number % 10}
    mine = {str(n): forms[str(n)].split() for n in (*places, 100 * (number // 100)) if str(n) in forms}
    for turn in range(max(map(len, mine.values()), default=0)):
        changed = text
        for value, words in mine.items():
            base = _said(library, int(value))[0]
            at = changed.rfind(base)
            if at >= 0:
                changed = changed[:at] + words[min(turn, len(words) - 1)] + changed[at + len(base) :]
        yield changed


def _scales(libraries: list[str], entry: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What a thousand, a million and so on are called behind a number."""
    for library in libraries:
        million = _said(library, 2 * 10**6)[0].split()[-1]
        for power in (2, *SCALES):  # twelve hundred
            for many in (1, 2, 5):
                ones = [folded(one) for one in (*_said(library, many), entry.get("one", ""))]
                for text in _said(library, many * 10**power):
                    key = folded(text.split()[-1])  # mil millones: the word for a million
                    if power != 9 or text.split()[-1] != million:
                        head = next((one for one in ones if one and key.startswith(one)), "")
                        yield key.removeprefix(head), 10**power
            for word in entry.get("form", {}).get(str(10**power), "").split():
                yield folded(word), 10**power


@cache
def plain_counts() -> Mapping[str, int]:
    """The words of all languages for 1 to 20, folded, but those that another uses for something else."""
    tables = {language: number_words(language).small for language in spoken()}
    values: dict[str, set[int]] = {}
    for small in tables.values():
        for word, value in small.items():
            if 0 < value <= MOST_PLAIN:
                values.setdefault(word, set()).add(value)
    others = {
        folded(word)
        for name, small in tables.items()
        for word in common(name)
        if folded(word) not in small
    }
    return {word: value for word, (value, *more) in values.items() if not more and word not in others}
