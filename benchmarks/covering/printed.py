"""The result that a source prints for an example: the quantity in a text, and how near ours must come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workings.errors import UserError
from workings.marks.grammar import beginning
from workings.marks.lexer import tokens_of
from workings.marks.parser import whole
from workings.marks.quantity import Printed
from workings.marks.style import Style
from workings.marks.token import Token
from workings.marks.tree import Node, Number
from workings.marks.values import Choice, NoValueError, Reading, choices, value_of
from workings.reading.blocks import Block

ABOUT = Fraction(5, 100)
_ASIDE = re.compile(r"\([^()]*\)")
_ABOUT = re.compile(r"\b(about|around|roughly|approximately|circa|nearly|almost)\b|[~≈]", re.IGNORECASE)
_LESS = re.compile(r"\b(less than|lower than|below|under|at most|up to)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(more than|higher than|greater than|above|over|at least)\b", re.IGNORECASE)
_LONGEST = 6  # tokens of a quantity


@dataclass(frozen=True)
class Result:
    """What a text prints: every interval that its digits may stand for, and what its words say of it.

    `bound` is "<" or ">" where the text says less or more than. Base units: byte, FLOP, second.
    """

    intervals: tuple[tuple[Fraction, Fraction], ...]
    about: bool = False
    bound: str = ""

    def has(self, value: Fraction) -> bool:
        """Whether a value is what is printed: within half of its last digit, 5 % where it says about."""
        if self.bound:
            low, high = self.intervals[0]  # in its unit: less than 10 % is less than anything as 10
            return 2 * value <= low + high if self.bound == "<" else 2 * value >= low + high
        return any(self._near(value, low, high) for low, high in self.intervals)

    def _near(self, value: Fraction, low: Fraction, high: Fraction) -> bool:
        middle = (low + high) / 2
        off = max((high - low) / 2, ABOUT * abs(middle) if self.about else Fraction(0))
        return abs(value - middle) <= off


def result_of(text: str) -> Result:
    """Read a printed result. Raises UserError where no quantity stands in it.

    Of several quantities the first counts, after the last relation and outside parentheses. Its unit
    counts, or only what it multiplies by (2664K GPU hours), or nothing: a source's formula may give days.
    """
    plain = _ASIDE.sub(" ", text).strip() or text
    found = next(_quantities(re.split(r"[=<>≤≥]+", plain)[-1]), ())
    if not found:
        raise UserError(f"found the result {text[:80]!r}, expected a quantity: say `printed`")
    bound = "<" if _LESS.search(plain) else ">" if _MORE.search(plain) else ""
    return Result(found, bool(_ABOUT.search(plain)), bound)


def stands_in(text: str, said: Result) -> bool:
    """Whether what is said to be printed is one of the numbers of a text, in some reading of its unit."""
    middles = [(low + high) / 2 for low, high in said.intervals]
    every = (interval for quantity in _quantities(text) for interval in quantity)
    return any(low <= middle <= high for low, high in every for middle in middles)


def _quantities(text: str) -> Iterator[tuple[tuple[Fraction, Fraction], ...]]:
    """The intervals of each quantity, from left to right."""
    tokens = tokens_of(Block("prose", text, tuple(range(len(text) + 1))), Style())
    for start, token in enumerate(tokens):
        if token.kind == "number" and (node := _quantity(tokens[start:])) is not None:
            yield tuple(dict.fromkeys(_intervals(node)))


def _quantity(tokens: tuple[Token, ...]) -> Node | None:
    """The calculation that the tokens begin with, or the longest part of it that is one."""
    if (found := beginning(tokens)) is not None:
        return found[0]
    parts = (whole(tokens[:end]) for end in range(_LONGEST, 0, -1))
    return next((part for part in parts if part is not None), None)


def _intervals(node: Node) -> Iterator[tuple[Fraction, Fraction]]:
    """From where to where a quantity may be, in each reading; a calculation such as 1/6 is exact."""
    spread = _half if isinstance(node, Number) else _nothing
    for choice in choices(node):
        for faces in (False, True):
            try:
                value = value_of(node, Reading(choice, spread, faces))
            except NoValueError:
                continue
            yield value.low, value.high
        if isinstance(node, Number):
            yield _digits_alone(node, choice)


def _half(_: Number, digits: Printed) -> Fraction:
    return digits.ulp / 2


def _nothing(_: Number, __: Printed) -> Fraction:
    return Fraction(0)


def _digits_alone(node: Number, choice: Choice) -> tuple[Fraction, Fraction]:
    digits = choice[id(node)][0]
    return digits.value - digits.ulp / 2, digits.value + digits.ulp / 2
