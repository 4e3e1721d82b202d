"""What stands behind a number: its power of ten, its unit, for each of what, and what is counted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workings.marks.quantity import PLAIN, Unit, units_of
from workings.marks.token import Token
from workings.marks.words import listed, meaning

MOST_PARTS = 150  # factors of a calculation
MOST_NOUNS = 5  # words between a number and the sign that follows it
MOST_LETTERS = 3  # side by side among words
CAPITALS = re.compile(r"[A-Z]{2,5}\d?$|[A-Za-zΑ-ωΔ]$|[A-Za-z]+_\w+$|[A-Za-z]\d$")
PER = ("/", "per", "pro", "par", "por", "je")


class Behind:
    """A place in a row of tokens, and what follows a number there."""

    def __init__(self, tokens: Sequence[Token], known: frozenset[str]) -> None:
        self.tokens, self.at, self.known, self.left = tokens, 0, known, MOST_PARTS
        self.raised = False  # in an exponent, where 3 · 10^6 is no number

    def look(self, ahead: int = 0) -> Token | None:
        """The token that comes next, or after so many."""
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def take(self) -> Token:
        """The next token, taken. Raises IndexError where there is none."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def sign(self, *wanted: str) -> str | None:
        """The operator that comes next, if it is one of these."""
        token = self.look()
        if token is not None and token.kind == "operator" and token.text in wanted:
            return token.text
        return None

    def per(self) -> str:
        """What a number is for each of, if its unit was read with it: `12 B/param`."""
        last, slash = self.tokens[self.at - 1], self.tokens[self.at - 2] if self.at > 1 else None
        if slash is None or slash.text.casefold() not in PER:
            return ""
        return "" if units_of((last.text,)) or last.kind not in ("word", "name") else last.text

    def _per_many(self, after: int) -> tuple[Unit, int] | None:
        """`$1.42 per million`: money by so many."""
        slash, word = self.look(after), self.look(after + 1)
        if after or slash is None or word is None or slash.text.casefold() not in PER:
            return None
        found = units_of((word.text,)) if word.kind in ("word", "name") else ()
        if not found or found[0].dimension not in (PLAIN.dimension,):
            return None
        return Unit(1 / found[0].scale, (0, 0, 0, 1), "$"), 2

    def scientific(self) -> int:
        """How many tokens the `× 10^k` of a number takes: it binds more closely than a product."""
        signs = [(t.kind, t.text) if (t := self.look(k)) else ("", "") for k in range(3)]
        if signs != [("operator", "*"), ("number", "10"), ("operator", "^")]:
            return 0
        taken, after = 3, self.look(3)
        bracket = after is not None and after.kind == "open"
        taken += bracket
        if (after := self.look(taken)) is not None and (after.kind, after.text) == ("operator", "-"):
            taken += 1
        if (after := self.look(taken)) is None or after.kind != "number":
            return 0
        taken += 1
        if bracket:
            after = self.look(taken)
            return taken + 1 if after is not None and after.kind == "close" else 0
        return taken

    def unit(self) -> tuple[tuple[Unit, ...], int]:
        """The readings of the unit that comes next, and how many tokens it takes."""
        first, after = self.look(), self.look(1)
        if first is None or first.kind not in ("word", "name"):
            return (PLAIN,), 0
        if first.text == "o" and first.spaced and after is not None and after.kind == "number":
            return (PLAIN,), 0  # 44 o 45: no octets, but “or”
        letter = len(first.text) == 1 and first.text.isalpha() and first.text.isascii()
        apart = first.spaced or first.text in meaning("thousands")
        decimal = apart and "." in self.tokens[self.at - 1].text  # 1.29 M is no product, 5.29d is
        if (
            letter
            and not decimal
            and (first.text in self.known or (after is not None and after.text == "^"))
        ):
            return (PLAIN,), 0
        found = units_of((first.text,))
        taken = 1
        if not found:
            return self.rate(0)
        second = self.look(1)
        counts = [unit for unit in found if unit.dimension == PLAIN.dimension and unit.word != "%"]
        if counts and second is not None and second.kind in ("word", "name"):  # 8 B bytes, 2 M tokens/s
            more = units_of((second.text,))
            taken = 2
            if more and more[0].dimension == PLAIN.dimension and first.text != "mil":  # mil millones
                more, taken = (), 1
            if not more:
                more, taken = self.rate(1)
            if taken > 1 and (len(second.text) > 1 or not second.text.isascii()):
                return tuple(Unit(a.scale * b.scale, b.dimension, b.word, b.binary, a.scale)
                             for a in counts for b in more), taken  # fmt: skip
            taken = 1
        below: list[str] = []
        while (word := self.divisor(taken)) is not None:
            if not units_of((word.text,)) and word.kind == "name" and len(word.text) == 1:
                break
            below.append(word.text)
            taken += 2
        return (units_of((first.text, *below)) if below else found), taken

    def divisor(self, ahead: int) -> Token | None:
        """The word behind a `/` or `per` that stands so many tokens ahead."""
        slash, word = self.look(ahead), self.look(ahead + 1)
        divides = slash is not None and slash.kind != "number" and slash.text.casefold() in PER
        return word if divides and word is not None and word.kind in ("word", "name") else None

    def rate(self, ahead: int) -> tuple[tuple[Unit, ...], int]:
        """So many things a time: `tokens/s`, `steps per day`; they stand so many tokens ahead."""
        noun, word = self.look(ahead), self.divisor(ahead + 1)
        if noun is None or word is None:
            return (PLAIN,), 0
        read = word.text not in self.known or self._counts(noun)
        below = units_of((word.text,)) if read else ()
        if not below or below[0].dimension == PLAIN.dimension:
            return (PLAIN,), 0
        first = below[0]
        unit = Unit(1 / first.scale, (0, 0, -first.dimension[2], 0), f"/{first.word}")
        taken = ahead + 3
        while (more := self.divisor(taken)) is not None and not units_of((more.text,)):
            taken += 2  # 5,217 tokens/s per card
        return (unit,), taken

    def _counts(self, noun: Token) -> bool:
        """Whether what stands before `/s` can be no letter: `944,938 tokens/s`, though s is one."""
        return len(noun.text) > 2 and not noun.math and noun.text not in self.known

    def nouns(self) -> str:
        """Skip what is counted, up to the sign that follows: `16 layers × …`."""
        words: list[str] = []
        place = self.at
        while place < len(self.tokens) and len(words) <= MOST_NOUNS:
            token = self.tokens[place]
            if token.text in self.known or (words and self._product(token)):
                break
            if token.kind == "word" or (
                token.kind == "name" and len(token.text) > 2 and (token.code or not token.math)
            ):
                if token.text.casefold() in listed("joins", "apart"):
                    return ""
                if token.text.casefold() in listed("joins", "before") and token.text.casefold() not in (
                    "per",
                    "of",
                    "de",
                ):
                    return ""
                words.append(token.text)
            elif token.kind == "open" and (stop := self._comment(place)) is not None:
                place = stop
            elif token.kind == "operator" and token.text == "/" and self._per(place):
                words.append("/")
            else:
                break
            place += 1
        after = self.tokens[place] if place < len(self.tokens) else None
        if (
            words
            and after is not None
            and not (after.kind in ("operator", "close") and after.text != "^")
        ):
            return ""
        if not words and place > self.at and after is not None and after.kind != "operator":
            return ""
        self.at = place
        return " ".join(words)

    def _product(self, token: Token) -> bool:
        """Whether it may be letters of the page side by side: `= 7 hops become pv - 1`."""
        return 1 < len(token.text) <= MOST_LETTERS and self.known.issuperset(token.text)

    def _per(self, place: int) -> bool:
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        return after is not None and after.kind == "word" and not CAPITALS.match(after.text)

    def calculates(self, tokens: Sequence[Token]) -> bool:
        """Whether these tokens are a calculation."""
        raise NotImplementedError

    def _comment(self, place: int) -> int | None:
        """The end of a bracket that only says something: `2 (K and V) × 80`."""
        token = self.tokens[place]
        if token.math or not token.spaced or token.text != "(":
            return None
        for stop in range(place + 1, min(len(self.tokens), place + 12)):
            if self.tokens[stop].kind == "close":
                inside = self.tokens[place + 1 : stop]
                after = self.tokens[stop + 1] if stop + 1 < len(self.tokens) else None
                counted = any(t.kind == "number" for t in inside)
                if counted and (after is None or after.kind != "operator"):
                    return None  # 14 GB (that is 13.04 GiB)
                spoken = any(t.kind == "word" for t in inside)
                return stop if spoken and not self.calculates(inside) else None
            if self.tokens[stop].kind == "open":
                return None
        return None
