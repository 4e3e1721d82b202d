"""Numbers as pages write them: `70B`, `8 billion`, `9e10 bytes/sec`, `64 heads`, `2 (batch)`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from workings.formula.page.lexer import PageToken
from workings.formula.page.nouns import NounReader
from workings.formula.page.units import ratio, unit_of
from workings.formula.page.words import (
    BITS,
    MULTIPLIERS,
    NOUNS,
    OTHER_UNITS,
    SUFFIXES,
    TIMES,
    UNIT_WORDS,
)
from workings.formula.tree import Expr, FormulaError, Num, Span
from workings.units import UnitError, parse_number

MOST_AHEAD = 40  # tokens searched for the unit of a result
MOST_BYTES_A_VALUE = 20  # ZeRO counts 16 to 18 bytes a parameter


class NumberReader(NounReader):
    """Reads a number with its suffix, multiplier, unit, noun and remark."""

    has_unit = False

    def number(self) -> Expr:
        """A number with its suffix, multiplier, per cent, unit, noun and remark."""
        start = self.now.start
        currency = self.take().text if self.now.kind == "money" else None
        token = self.now
        if token.kind != "number":
            raise self.fail("a number")
        self.take()
        value, text = number_value(token, self.text), token.text
        if self.now.kind == "percent":
            self.take()
            return Num(value / 100, None, f"{text}%", self.span(start))
        value, text = self.multiplied(value, text)
        if (
            self.now.text in ("x", "X")
            and self.now.text not in self.symbols.letters
            and self.now.glued
            and self.now.dialect != "math"
            and not self._operand_ahead()
        ):
            self.take()  # 4.7x: that many times as much
        unit = self.per(currency) if currency else self.unit()
        if self.now.kind in ("word", "words") and self.now.text in OTHER_UNITS:
            raise self.fail("bytes, FLOPs, a time or money")
        self.skip_nouns()
        self.skip_remark()
        return Num(value, unit, text, self.span(start))

    def _operand_ahead(self) -> bool:
        """Whether a number, letter or bracket follows the next token."""
        after = self.tokens[self.at + 1] if self.at + 1 < self.limit else self.tokens[-1]
        return after.kind in ("number", "open", "name") or after.text == "^"

    def multiplied(self, value: Fraction, text: str) -> tuple[Fraction, str]:
        """`70B`, `8 billion`, `70 万`: the number with what multiplies it."""
        token = self.now
        if (
            token.glued
            and token.kind in ("word", "name")
            and token.text in SUFFIXES
            and self._is_suffix(token)
        ):
            self.take()
            return value * SUFFIXES[token.text], text + token.text
        if token.kind == "word" and token.text == "B" and not token.glued and self.at < self.limit:
            begun = self.at - 2 >= 0 and self.tokens[self.at - 2].kind == "operator"
            if "e" in text.lower() or len(text) > 5 or (begun and value <= MOST_BYTES_A_VALUE):
                return value, text  # 28.2e9 B and × 4 B: bytes
            self.take()
            return value * 10**9, f"{text}B"
        if token.kind == "words" and (found := _suffix_in_words(token.text)) is not None:
            self.take()
            return value * SUFFIXES[found], text + found
        while self.now.kind == "word" and self.at < self.limit:
            multiplier = _multiplier(self.now.text)
            if multiplier is None:
                break
            word, factor = multiplier
            value *= factor
            text += " " + word
            if word != self.now.text:  # 万个: the noun goes with it
                self.take()
                break
            self.take()
        return self._and_a_half(value, text)

    def _and_a_half(self, value: Fraction, text: str) -> tuple[Fraction, str]:
        """`6 and a half` years."""
        words = [token.text for token in self.tokens[self.at : self.at + 3]]
        if words != ["and", "a", "half"] or self.at + 3 > self.limit:
            return value, text
        self.at += 3
        return value + Fraction(1, 2), f"{text}.5"

    def _is_suffix(self, token: PageToken) -> bool:
        """Whether the letter behind a number is a power of ten and not a factor."""
        after = self.tokens[self.at + 1] if self.at + 1 < self.limit else self.tokens[-1]
        if (
            after.glued
            and after.kind in ("name", "word", "open", "frac")
            and after.dialect == token.dialect
        ):
            return False
        if after.kind == "operator" and after.text == "^":
            return False
        if token.dialect == "text":
            return token.text != "b" or token.text not in self.symbols.letters
        return token.text not in self.symbols.letters

    def unit(self) -> str | None:
        """The unit behind a number, if any."""
        token = self.now
        if token.kind == "words":
            found = unit_of(token.text)
            if found is not None:
                self.take()
                return self.per(found)
            return None
        if token.kind not in ("word", "name") or self.at >= self.limit:
            return None
        if token.kind == "name" and (token.dialect == "math" or token.text in self.symbols.names):
            return None
        if token.text not in UNIT_WORDS or (len(token.text) == 1 and self._is_letter(token)):
            return None
        self.take()
        self.has_unit = True
        slashed = self._is("/") and self.tokens[min(self.at + 1, self.limit - 1)].text in (
            "s",
            "sec",
            "second",
        )
        return self.per(
            BITS.get(token.text, UNIT_WORDS[token.text]) if slashed else UNIT_WORDS[token.text]
        )

    def _is_letter(self, token: PageToken) -> bool:
        """Whether s or h behind a number is the document's letter and not a second or an hour."""
        if token.text not in self.symbols.letters:
            return False
        after = self.tokens[self.at + 1] if self.at + 1 < self.limit else self.tokens[-1]
        below = self.tokens[self.at + 2] if self.at + 2 < self.limit else self.tokens[-1]
        rate = after.kind == "operator" and after.text == "/" and below.text in UNIT_WORDS
        if token.dialect == "text" and not token.glued and self._is_time_here():
            return False
        return token.dialect == "math" or not (self.has_unit or rate)

    def _is_time_here(self) -> bool:
        """Whether the `s` of `1.025 s` in prose is a second: no formula, or one that comes to a time.

        Only mathematics sets a number and a letter side by side with a space between them.
        """
        related = False
        for before, token in pairwise(self.tokens[self.at : self.at + MOST_AHEAD]):
            if token.kind in ("stop", "break", "end"):
                break
            related = related or token.kind == "relation"
            behind_figure = before.kind == "number" or token.text not in self.symbols.letters
            if related and behind_figure and UNIT_WORDS.get(token.text) in TIMES:
                return True
        return not related

    def per(self, unit: str) -> str:
        """`GB` followed by `/s`, `per second`, `/ token`: the whole unit."""
        token = self.now
        slash = token.kind == "operator" and token.text == "/"
        per = token.kind == "word" and token.text in ("per", "a", "每")
        if not (slash or per) or self.at + 1 >= self.limit or "/" in unit:
            return unit
        below = self.tokens[self.at + 1]
        word = below.text
        if (
            below.kind == "name"
            and word in self.symbols.letters
            and not (slash and below.glued and word == "s")
        ):
            return unit
        if below.kind not in ("word", "words", "name"):
            return unit
        word = word.rsplit("-", 1)[-1]  # GPU-hour
        if word in UNIT_WORDS:
            self.at += 2
            return ratio(unit, UNIT_WORDS[word])
        counted = word in NOUNS or word.rstrip("s") in NOUNS
        if self.is_each(self.at, unit=True) if slash and word == below.text else counted:
            self.at += 2
        return unit

    def unit_factor(self) -> Num | None:
        """A unit behind letters or a bracket: `BD bytes`."""
        token, before = self.now, self.tokens[self.at - 1]
        if token.kind not in ("words", "word") or before.kind not in ("close", "name", "number"):
            return None
        found = unit_of(token.text) if token.kind == "words" else UNIT_WORDS.get(token.text)
        if found is None or (token.kind == "word" and len(token.text) == 1):
            if token.kind == "words" and token.text not in self.symbols.names:
                self.take()  # a remark beside a factor
            elif token.kind == "word" and token.text in NOUNS:
                self.skip_nouns()
            return None
        self.take()
        return Num(Fraction(1), self.per(found), "", Span(token.start, self.tokens[self.at - 1].end))


def _multiplier(word: str) -> tuple[str, int] | None:
    """The multiplier a word is or (in Chinese) begins with."""
    if word in MULTIPLIERS:
        return word, MULTIPLIERS[word]
    for length in (2, 1):
        head = word[:length]
        if head in MULTIPLIERS and not head.isascii():
            return head, MULTIPLIERS[head]
    return None


def _suffix_in_words(words: str) -> str | None:
    r"""The B of `405.85\text{B parameters}`."""
    first, *others = words.split() or [""]
    return first if first in SUFFIXES and first.isupper() and all(w in NOUNS for w in others) else None


def number_value(token: PageToken, text: str) -> Fraction:
    """The exact value of a number's digits. Raises FormulaError."""
    try:
        return parse_number("0" + token.text if token.text.startswith(".") else token.text)
    except UnitError as error:
        raise FormulaError(str(error), text, token.start) from None
