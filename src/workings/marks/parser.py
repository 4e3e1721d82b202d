"""Tokens into trees: recursive descent over what may be a calculation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from string import ascii_uppercase

from workings.marks.behind import CAPITALS, Behind
from workings.marks.quantity import PLAIN, Printed, Unit, printed, units_of
from workings.marks.token import Token
from workings.marks.tree import Letter, Node, Number, Operation
from workings.marks.words import meaning

_ONE = printed("1")
DEEPEST = 40
NAMES_OF_UNITS = {"s", "h", "d", "m", "B", "b", "K", "M", "G", "T", "P", "E", "k", "o"}


class NotACalculationError(Exception):
    """These tokens are no calculation."""


def whole(tokens: Sequence[Token], known: frozenset[str] = frozenset()) -> Node | None:
    """All of the tokens as one calculation, or nothing; `known` are the letters of the page."""
    parser = Parser(tokens, known)
    try:
        node = parser.sum(0)
    except (NotACalculationError, IndexError):
        return None
    return node if parser.at == len(tokens) else None


class Parser(Behind):
    """Recursive descent over tokens."""

    def calculates(self, tokens: Sequence[Token]) -> bool:
        """Whether these tokens are a calculation."""
        return whole(tokens, self.known) is not None

    def sum(self, deep: int) -> Node:
        """Terms with + and - between them."""
        if deep > DEEPEST:
            raise NotACalculationError
        found = self.product(deep)
        while (sign := self.sign("+", "-")) is not None:
            self.take()
            found = Operation(sign, (found, self.product(deep)))
        return found

    def product(self, deep: int) -> Node:
        """Factors with × and / between them, or side by side."""
        found = self.power(deep)
        while True:
            if (sign := self.sign("*", "/", "//")) is not None:
                self.take()
                part = Operation(sign[0], (found, self.power(deep)))
                found = Operation("floor", (part,)) if sign == "//" else part
            elif self.beside():
                found = Operation("*", (found, self.power(deep)))
            else:
                return found

    def beside(self) -> bool:
        """Whether a factor follows without a sign: `2 N D`, `4(a + b)`, `\\frac{1}{2} m`."""
        token, before = self.look(), self.tokens[self.at - 1]
        if token is None:
            return False
        if token.text in self.known and token.kind in ("name", "word") and len(token.text) == 1:
            return before.kind == "number" or before.math == token.math or not token.spaced
        if token.kind == "open":
            apart = token.spaced or before.math  # $1.3e10$（13 B）
            return token.math or (not apart and before.kind in ("number", "close"))
        if token.kind == "name" and token.math:
            return before.math and (len(token.text) == 1 or not token.code)
        if token.kind == "number":
            return before.kind == "close" and token.math and before.math
        capital = len(token.text) == 1 and token.text in ascii_uppercase
        return token.kind == "word" and capital and before.kind == "number"

    def power(self, deep: int) -> Node:
        """A base with its exponent."""
        self.left -= 1
        if self.left < 0:
            raise NotACalculationError
        if self.sign("-") is not None:
            self.take()
            return Operation("neg", (self.power(deep),))
        if self.sign("+") is not None:
            self.take()
        base = self.base(deep)
        if self.sign("^") is not None:
            self.take()
            raised, self.raised = self.raised, True
            base = Operation("^", (base, self.power(deep)))
            self.raised = raised
            base = self.raised_unit(base)
        return base

    def raised_unit(self, base: Node) -> Node:
        """`2^30 B` and `10^9 bytes`: a unit behind a power of a number."""
        if isinstance(base, Operation) and not isinstance(base.parts[0], Number):
            return base
        units, taken = self.unit()
        if not taken or units == (PLAIN,):
            return base
        self.at += taken
        self.nouns()
        one = self.tokens[self.at - 1]
        return Operation("*", (base, Number((_ONE,), units, one.start, one.end)))

    def base(self, deep: int) -> Node:
        """A number, a letter, a bracket or a function."""
        token = self.take()
        if token.kind == "number":
            return self.number(token)
        if token.text in meaning("rates") and token.kind == "word":
            return self.timed(token, deep)
        if token.kind == "open":
            return self.bracket(token, deep)
        if token.kind == "other" and token.text == "~":
            return self.base(deep)
        if (
            token.kind == "word"
            and token.text in "$€£¥"
            and (after := self.look())
            and after.kind == "number"
        ):
            return self.number(self.take(), token.text)
        if token.kind in ("name", "word"):
            return self.name(token, deep)
        raise NotACalculationError

    def timed(self, token: Token, deep: int) -> Node:
        """`毎秒 129 トークン`: so many a second."""
        if (after := self.look()) is None or (after.kind, after.text) == ("other", "~"):
            raise NotACalculationError
        seconds = units_of((meaning("rates")[token.text],))[0]
        time = Number((_ONE,), (seconds,), token.start, token.end)
        return Operation("/", (self.base(deep), time))

    def compound(self, token: Token, units: tuple[Unit, ...]) -> Node | None:
        """`1億5,483万`, `3조 5175억 7821만`: a count and the smaller ones that follow it."""
        second = self.look(1)
        if units[0].word not in meaning("count") or second is None or second.kind != "number":
            return None
        start = self.at
        self.at += 2
        more, taken = self.unit()
        low = more[0].count if more[0].dimension != PLAIN.dimension else more[0].scale
        if low >= units[0].scale or (second.spaced and not (units[0].word >= "\u2e80" and low > 1)):
            self.at = start
            return None
        high = token.numbers[0].value * units[0].scale / low
        numbers = tuple(Printed(high + p.value, p.ulp) for p in second.numbers)
        whole = replace(second, numbers=numbers, start=token.start)
        if taken == 1 and (joined := self.compound(whole, more)) is not None:
            return joined
        self.at += taken
        return Number(numbers, more, token.start, self.tokens[self.at - 1].end, noun=self.nouns())

    def bracket(self, token: Token, deep: int) -> Node:
        """What stands between brackets, with the unit behind them."""
        raised, self.raised = self.raised, False
        inner = self.sum(deep + 1)
        self.raised = raised
        if self.take().kind != "close":
            raise NotACalculationError
        if token.text in ("ceil", "floor"):
            return Operation(token.text, (inner,))
        units, taken = self.unit()
        if taken and units != (PLAIN,) and not self.letter_follows(taken):
            self.at += taken
            inner = Operation("*", (inner, Number((_ONE,), units, token.start, token.end)))
        self.nouns()
        return inner

    def letter_follows(self, taken: int) -> bool:
        """Whether what could be a unit is a letter of the page: `(a + b) s`."""
        token = self.look()
        return taken == 1 and token is not None and token.kind == "name" and token.text in NAMES_OF_UNITS

    def name(self, token: Token, deep: int) -> Node:
        """A function, or a letter."""
        word = token.text.replace(".", "_")
        after = self.look()
        if (
            word in meaning("functions")
            and after is not None
            and (after.kind == "open" or word.startswith(("l", "s")))
        ):
            if after.kind != "open":
                return Operation(meaning("functions")[word], (self.base(deep),))
            self.take()
            parts = [self.sum(deep + 1)]
            while (comma := self.look()) is not None and comma.kind == "stop" and comma.text == ",":
                self.take()
                parts.append(self.sum(deep + 1))
            if self.take().kind != "close":
                raise NotACalculationError
            return Operation(meaning("functions")[word], tuple(parts))
        if token.kind == "word" and token.text not in self.known and not CAPITALS.match(token.text):
            raise NotACalculationError
        return Letter(token.text, token.start, token.end)

    def number(self, token: Token, money: str = "") -> Node:
        """A number with the unit and the noun behind it."""
        if (power := self.scientific()) and not money and not self.raised:
            values = self.tokens[self.at : self.at + power]
            exponent = next(t for t in reversed(values) if t.kind == "number").numbers[0].value
            sign = -1 if any(t.text == "-" for t in values) else 1
            ten = Fraction(10) ** (sign * int(min(exponent, Fraction(400))))
            below = self.at > 1 and self.tokens[self.at - 2].text == "/"  # 3/3600 × 10^6, read either way
            powers = (ten, 1 / ten) if below else (ten,)
            numbers = tuple(Printed(p.value * t, p.ulp * t) for t in powers for p in token.numbers)
            token = replace(token, numbers=numbers)
            self.at += power
        units, taken = self.unit()
        if taken == 1 and (joined := self.compound(token, units)) is not None:  # 1億5,483万円
            return joined
        if money and (per := self._per_many(taken)) is not None:
            self.at += per[1]
            last = self.tokens[self.at - 1]
            return Number(
                token.numbers, (per[0], Unit(Fraction(1), (0, 0, 0, 1), money)), token.start, last.end
            )
        if money:
            scaled = [u for u in units if u.dimension == PLAIN.dimension] if taken else [PLAIN]
            units = tuple(Unit(u.scale, (0, 0, 0, 1), money + u.word) for u in scaled) or units
            taken = taken if scaled != [PLAIN] else 0
        self.at += taken
        last = self.tokens[self.at - 1]
        rate = taken > 2 and units[0].word.startswith("/")
        noun = self.tokens[self.at - 3].text if rate else self.per() or self.nouns()
        alone = taken == 1 and last.kind == "name" and last.math and not last.code
        counted = last.text in "KMBT" and token.numbers[0].value >= 10 and not last.spaced
        letter = last.text if alone and len(last.text) == 1 and not counted else ""
        return Number(token.numbers, units, token.start, last.end, noun=noun, letter=letter)
