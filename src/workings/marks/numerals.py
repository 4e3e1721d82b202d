"""Numbers in words, such as `forty-four`, `vierundvierzig` and `one fourth`, as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from workings.marks.amounts import Amount, Amounts
from workings.marks.eastern import counted, hundredths, in_signs, over, share
from workings.marks.languages import common, spoken
from workings.marks.spoken import Spoken, folded, number_words
from workings.marks.token import Token
from workings.marks.words import listed, meaning

FEW = 6  # words of a line that is nothing but a number and what it counts
_FRACTION = ["open", "open", "number", "close", "operator", "open", "number", "close", "close"]
_CALCULATES = ("operator", "name", "number")
MOST_ZEROS = 60  # of a power of ten that counts something
_SCALES = {
    10**3: "thousand",
    10**6: "million",
    10**9: "milliard",
    10**12: "trillion",
    10**15: "quadrillion",
}
_UNITS = (100, *_SCALES)  # such a word by itself may be any unit: cent, mil


def spelled_out(tokens: Sequence[Token], languages: Sequence[str] = ()) -> tuple[Token, ...]:
    """These tokens, with a number in place of the words that say one.

    Words are read in the `languages` of the page, the first of which is its own, and in English; where
    none is known and a line says little else, in all, as far as they agree.
    """
    reader = _Reader(tokens, tuple(languages))
    out: list[Token] = []
    place = 0
    while place < len(tokens):
        found, taken = reader.at(place, out)
        out += found
        place += taken
    return tuple(out)


class _Reader:
    """Tokens of a block, and the languages that their words are read in."""

    def __init__(self, tokens: Sequence[Token], languages: tuple[str, ...]) -> None:
        self.tokens, self.languages = tokens, languages
        self.keys = [folded(token.text) if token.kind == "word" else "" for token in tokens]

    @cached_property
    def words(self) -> tuple[Spoken, ...]:
        """The number words of the page's languages, English last."""
        few = sum(map(bool, self.keys)) <= FEW and not self.languages
        names = spoken() if few else dict.fromkeys((*self.languages, "en"))
        return tuple(number_words(name) for name in names)

    @cached_property
    def amounts(self) -> tuple[Amounts, ...]:
        """The readers of amounts in these languages."""
        return tuple(Amounts(self.tokens, self.keys, words) for words in self.words)

    def at(self, place: int, before: Sequence[Token]) -> tuple[Iterable[Token], int]:
        """What stands at a place, as tokens, and how many tokens it takes."""
        token = self.tokens[place]
        after = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        if token.kind == "number":
            return self._digits(place, before)
        pair = f"{token.text}_{after.text}".casefold() if after is not None else ""
        if pair in listed("numeral", "percent") and after is not None:
            return [replace(token, text="%", end=after.end)], 2
        if (shown := self._shown_fraction(place, before)) is not None:
            return [shown], len(_FRACTION)
        if token.kind != "word" or token.math:
            return [token], 1
        if not token.text.isascii() and "\u3040" <= token.text[-1] <= "\ud7af":
            if after is not None and (part := over(token, after)) is not None:
                return [part], 2
            return in_signs(token), 1
        found = self._longest(place)
        if found is None or (found.value in _UNITS and before and before[-1].kind == "number"):  # 20 mil
            return [token], 1
        end = self.tokens[place + found.taken - 1].end
        said = share(token, found.value, token.start, end, found.ulp)
        if not (found.share or found.ulp):
            said = counted(token, int(found.value), token.start, end)
        return [said, *([] if found.noun is None else [self.tokens[found.noun]])], found.taken

    def _digits(self, place: int, before: Sequence[Token]) -> tuple[list[Token], int]:
        """A number in digits: in per cent behind some words, or with a large number of its language."""
        token = self.tokens[place]
        if hundredths(before):
            return [token, replace(token, kind="word", text="%", start=token.end, numbers=())], 1
        behind = self.tokens[place + 1 : place + 4]
        if (power := self._power_of_ten(place, before)) is not None:
            return [power[0]], power[1]
        for words in (1, 2):  # 5分の1, of which 分 may be minutes
            of, part = "".join(t.text for t in behind[:words]), behind[words : words + 1]
            if of in listed("eastern", "of") and part and part[0].numbers and token.numbers[0].value:
                above = part[0].numbers[0].value
                return [share(token, above / token.numbers[0].value, token.start, part[0].end)], words + 2
        if not behind or behind[0].kind != "word" or not self.languages or behind[0].math:
            return [token], 1
        scales = (words.scale(self.keys[place + 1]) for words in self.words[:-1] or self.words)
        scale = _SCALES.get(next(filter(None, scales), 0), "")
        thousands = meaning("thousands")
        if scale and thousands.get(behind[0].text) != thousands[scale]:
            return [token, replace(behind[0], text=scale)], 2
        return [token], 1

    def _power_of_ten(self, place: int, before: Sequence[Token]) -> tuple[Token, int] | None:
        """`10^9`, where nothing stands before it that it multiplies; and how many tokens it takes."""
        row = [t for t in self.tokens[place : place + 5] if t.kind not in ("open", "close")]
        if self.tokens[place].text != "10" or any(t.kind in _CALCULATES for t in before[-1:]):
            return None
        if len(row) < 3 or row[1].text != "^" or not row[2].numbers:
            return None
        taken = self.tokens.index(row[2], place) - place + 1
        closing = self.tokens[place + taken : place + taken + 1]
        taken += taken == 4 and bool(closing) and closing[0].kind == "close"
        exponent = min(int(row[2].numbers[0].value), MOST_ZEROS)
        ten = counted(row[0], 10**exponent, row[0].start, self.tokens[place + taken - 1].end)
        return ten, taken

    def _shown_fraction(self, place: int, before: Sequence[Token]) -> Token | None:
        """`\\tfrac14`, which is `((1)/(4))` to the lexer, where nothing is calculated with it."""
        row = self.tokens[place : place + len(_FRACTION)]
        beside = (*before[-1:], *self.tokens[place + len(_FRACTION) :][:1])
        if [t.kind for t in row] != _FRACTION or any(t.kind in _CALCULATES for t in beside):
            return None
        above, below = row[2].numbers[0].value, row[6].numbers[0].value
        return share(row[0], above / below, row[0].start, row[-1].end) if below else None

    def _longest(self, place: int) -> Amount | None:
        """The number that begins with a word, in the language that reads most of it."""
        if not any(words.begins(self.keys[place]) for words in self.words):
            return None
        found = [one for one_of in self.amounts if (one := one_of.at(place)) is not None]
        best = max(found, key=lambda one: one.taken, default=None)
        if best is None or any(one.taken == best.taken and one.value != best.value for one in found):
            return None
        return None if best.taken == 1 and self._is_another(place, best) else best

    def _is_another(self, place: int, found: Amount) -> bool:
        """Whether a word by itself is rather an article, a unit or a common word of the page."""
        if found.share:
            return False
        alone = [n for n, key in enumerate(self.keys) if key] == [place]
        chosen = self._key(place + 1) in listed("numeral", "or")  # one or two
        if found.value == 1 and not alone and not chosen:
            return True
        first = self.languages[0] if self.languages else "en"
        mine = number_words(first).number(self.keys[place]) is not None
        if not mine and self.tokens[place].text.casefold() in common(first):
            return True
        return found.value in _UNITS and not mine

    def _key(self, place: int) -> str:
        """The folded word at a place; empty where none stands."""
        return self.keys[place] if place < len(self.keys) else ""
