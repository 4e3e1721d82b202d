"""An amount in words of one language: so many, with decimals, a fraction or a half, before a scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workings.marks.spoken import Spoken, folded
from workings.marks.token import Token
from workings.marks.words import listed

MOST_PIECES = 14  # words and hyphens of one number
MOST_DECIMALS = 12
THOUSAND = 1000
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Amount:
    """A number in words: its value, how many tokens say it, and whether it is a share or a multiple.

    `ulp` is what the last of its decimals is worth; `noun` is where the word stands that it counts, of
    `two hours and a half`.
    """

    value: Fraction
    taken: int
    share: bool = False
    article: bool = False  # only a: no number by itself
    ulp: Fraction = Fraction(0)
    noun: int | None = None


class Amounts:
    """The tokens of a block and their folded words, read in one language."""

    def __init__(self, tokens: Sequence[Token], keys: Sequence[str], words: Spoken) -> None:
        self.tokens, self.keys, self.words = tokens, keys, words

    def at(self, place: int) -> Amount | None:
        """The amount that begins with a word."""
        found = self._fraction(place) or self._counted(place)
        if found is None or found.article or not (found.share or found.ulp):
            return None if found is None or found.article else found
        scale = self.words.scale(self.key(place + found.taken)) or 1  # one and a half billion
        ulp = found.ulp * scale if scale == 1 or found.ulp else Fraction(scale, 10)
        return replace(found, value=found.value * scale, taken=found.taken + (scale > 1), ulp=ulp)

    def key(self, place: int) -> str:
        """The folded word at a place; empty where none stands."""
        return self.keys[place] if place < len(self.keys) else ""

    def _fraction(self, place: int) -> Amount | None:
        """A share or a multiple that begins there, of which no whole stands before it."""
        words, key = self.words, self.key(place)
        whole = words.wholes.get(key) or words.glued(key)
        if whole is not None and self._stands(place, 1):
            return Amount(whole, 1, share=True)
        if key in words.over and (above := self._count(place + 1)) is not None:
            return Amount(above.value / words.over[key], 1 + above.taken, share=True)
        count = self._count(place)
        if count is None:
            return None
        below, taken = self._below(place + count.taken)
        if below and (count.value > 1 or self._stands(place, count.taken + taken)):
            return Amount(count.value / below, count.taken + taken, share=True)
        return None

    def _below(self, place: int) -> tuple[int | Fraction, int]:
        """What parts are counted, and how many tokens say it: `quarters`, `thirty-firsts`."""
        joined, found = "", (Fraction(0), 0)
        for at in range(place, min(len(self.tokens), place + MOST_PIECES)):
            if not self.keys[at] and (at == place or not self._is_hyphen(at)):
                break
            joined += self.keys[at]
            if self.keys[at] and (part := self.words.parts.get(joined)):
                found = part, at - place + 1
        return found

    def _counted(self, place: int) -> Amount | None:
        """So many, so many and a half, or so many with decimals."""
        count = self._count(place)
        if count is None or count.article:
            bare = self.key(place) in self.words.points and self._decimals(place + 1)
            if not bare or not self._begins(place, bare.taken):
                return count
            return replace(bare, taken=bare.taken + 1)
        behind = place + count.taken
        if self.key(behind) in self.words.points and (more := self._decimals(behind + 1)) is not None:
            return replace(more, value=count.value + more.value, taken=count.taken + 1 + more.taken)
        return self._and_more(place, count) or self._with_noun(place, count) or count

    def _begins(self, place: int, digits: int) -> bool:
        """Whether a point with nothing before it begins a number, unlike in `at this point`."""
        return digits > 1 or place == 0 or self.tokens[place - 1].kind != "word"

    def _decimals(self, place: int) -> Amount | None:
        """What stands behind a point: digit by digit, as one number, or in tenths."""
        digits, at = "", place
        while len(digits) < MOST_DECIMALS and (found := self._count(at, THOUSAND)) is not None:
            if found.article or (digits.strip("0") and found.value >= 10):
                break
            digits, at = digits + str(found.value), at + found.taken
            if found.value >= 10:
                break
        if not digits:
            return None
        below, taken = self._below(at)
        if below:  # три целых пять десятых
            exact = Fraction(1, int(below)) if str(below).strip("0") == "1" else Fraction(0)
            return Amount(int(digits) / Fraction(below), at - place + taken, not exact, ulp=exact)
        ulp = Fraction(1, 10 ** len(digits))
        return Amount(int(digits) * ulp, at - place, ulp=ulp)

    def _and_more(self, place: int, count: Amount) -> Amount | None:
        """So many and a half, or and three quarters."""
        words, behind = self.words, place + count.taken
        at = behind
        while at < behind + 2 and self.key(at) in words.between:
            at += 1
        if self.key(at) in words.halves:
            return Amount(count.value + HALF, at - place + 1, share=True)
        at = behind
        while at < behind + 2 and self.key(at) in words.joined:
            at += 1
        more = self._fraction(at) if at > behind else None
        if more is None or more.value >= 1:
            return None
        return Amount(count.value + more.value, at - place + more.taken, share=True)

    def _with_noun(self, place: int, count: Amount) -> Amount | None:
        """So many of a thing, and a half of one where the clause ends: `dois milissegundos e meio`."""
        noun = place + count.taken
        at = noun + 1
        while at < noun + 3 and self.key(at) in self.words.between:
            at += 1
        half = at > noun + 1 and self.key(noun) and self.key(at) in self.words.halves
        if not half or self.key(at + 1):
            return None
        return Amount(count.value + HALF, at - place + 1, ulp=Fraction(1, 10), noun=noun)

    def _stands(self, place: int, taken: int) -> bool:
        """Whether what follows is what follows a share, where the word may be an ordinal."""
        if self.key(place + taken - 1) not in self.words.doubtful:
            return True
        after = self.tokens[place + taken] if place + taken < len(self.tokens) else None
        return after is None or after.kind in ("stop", "close") or folded(after.text) in self.words.like

    def _is_hyphen(self, place: int) -> bool:
        return self.tokens[place].text in listed("numeral", "hyphens")

    def _count(self, place: int, most: int = 0) -> Amount | None:
        """The longest count that begins there, below `most` if that is given; or an article."""
        joined, best = "", None
        for at in range(place, min(len(self.tokens), place + MOST_PIECES)):
            hyphen = at > place and self._is_hyphen(at)
            if not self.keys[at] and not hyphen:
                break
            joined += self.keys[at]
            value = None if hyphen else self.words.number(joined)
            if value is not None and (not most or value < most):
                best = Amount(Fraction(value), at - place + 1)
        if best is None and self.key(place) in self.words.articles:
            return Amount(Fraction(1), 1, article=True)
        return best
