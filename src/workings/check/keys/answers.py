"""Which figure of a part is somebody's answer, and what the key says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.check.comparing import compare
from workings.check.comparing.numbers import near_power
from workings.check.comparing.printed import digits_of
from workings.check.comparing.shown import decimal
from workings.check.keys.quantities import Written
from workings.check.keys.targets import Asked, Target
from workings.formula.tree import Num
from workings.units import ONE, UnitError, parse_unit

STRANGE = 10**7  # a figure so far from the right one is about something else
BOLD = 4
STATED = 2  # what a figure must look like at least; one that the key knows does
SURE = 3  # a figure at least this strong is meant as an answer
FAR_OFF = Fraction(1, 8)  # no rounding explains more
GIBI = Fraction(2**30, 10**9)


@dataclass(frozen=True)
class Taken:
    """The figure taken for an answer, the target it meets if any, and other figures that may be meant."""

    written: Written
    target: Target | None
    sure: bool
    others: tuple[Written, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    """A figure that may be the answer, and how much speaks for it."""

    figure: Written
    target: Target | None
    near: int
    order: int

    @property
    def score(self) -> int:
        """How much it looks like an answer, and like the answer to this question."""
        return max(self.figure.strength, STATED) + self.near

    @property
    def merit(self) -> int:
        """How good an answer it is."""
        order = ("known wrong", "accepted", "right")
        return order.index(self.target.kind) + 1 if self.target else 0


def take(
    asked: Asked, figures: Sequence[Written], siblings: Sequence[Asked], givens: Sequence[Fraction]
) -> Taken | None:
    """The answer of a part, or None where no figure can be taken for one.

    `siblings` are the part's other questions, whose answers are not mistaken for this one's; nor are
    the `givens` of the exercise. Among figures that look alike, one that is right is preferred.
    """
    found = list(_candidates(asked, figures, siblings, givens))
    if not found:
        return None
    found.sort(key=lambda c: (c.score, c.merit, c.order), reverse=True)
    best = found[0]
    others = tuple(
        c.figure for c in found[1:]
        if c.score == best.score and c.target is not best.target and c.figure.number != best.figure.number
    )  # fmt: skip
    meant = best.score >= SURE and (best.near > 0 or not siblings)
    sure = not others and (meant or (best.target is not None and best.near > 0))
    return Taken(best.figure, best.target, sure, others[:3])


def _candidates(
    asked: Asked, figures: Sequence[Written], siblings: Sequence[Asked], givens: Sequence[Fraction]
) -> Iterator[_Candidate]:
    counted = asked.targets[0].dimension == ONE
    for order, figure in enumerate(figures):
        if not _comparable(figure, asked):
            continue
        target, near = met(asked, figure), nearness(asked, figure)
        if target is None:
            # When in doubt, nothing is found rather than something wrong: a figure in passing is no
            # answer, nor a plain number where bytes are asked for, which may count anything.
            if figure.strength < (STATED if counted or figure.number.unit else BOLD):
                continue
            if not near and (siblings or figure.strength < SURE):
                continue
            if _belongs_elsewhere(figure, asked, siblings, givens):
                continue
        yield _Candidate(figure, target, near, order)


def met(asked: Asked, figure: Written) -> Target | None:
    """The first target that a figure gives, the right one before the others."""
    for target in asked.targets:
        words_fit = target.near == asked.answer.near or _near(target.near, figure.sentence, figure.around)
        if words_fit and gives(asked, figure.number, target.value):
            return target
    return None


def gives(asked: Asked, number: Num, value: Fraction) -> bool:
    """Whether a printed number stands for this value (in base units), as the key wants it."""
    scale = _scale(asked, number)
    if asked.tolerance is not None:
        return abs(number.value * scale - value) <= asked.tolerance * abs(value)
    if abs(number.value * scale - value) > FAR_OFF * abs(value):
        return False
    outcome = compare(Num(value / scale), "=", Num(number.value, None, number.text))
    if outcome.verdict in ("rounds", "truncates"):
        digits = digits_of(number)
        return digits is None or digits.significant >= asked.answer.digits
    return outcome.verdict == "ok"


def value_of(asked: Asked, number: Num) -> Fraction:
    """The value of a printed number in base units; without a unit it is taken in the key's."""
    return number.value * _scale(asked, number)


def _scale(asked: Asked, number: Num) -> Fraction:
    return parse_unit(number.unit).scale if number.unit else asked.unit.scale


def _comparable(figure: Written, asked: Asked) -> bool:
    """A figure in the unit that is asked for, or without a unit and with no other noun."""
    wanted = asked.targets[0].dimension
    if figure.number.unit is None:
        return not figure.noun or (wanted == ONE and _near(asked.answer.noun, figure.noun, ""))
    try:
        return parse_unit(figure.number.unit).dimension == wanted
    except UnitError:
        return False


def nearness(asked: Asked, figure: Written) -> int:
    """2 where a word of the key stands in the same sentence, 1 where around it, else 0."""
    words = tuple(word for target in asked.targets for word in target.near)
    if not words:
        return 2
    return 2 if _near(words, figure.sentence, "") else int(_near(words, figure.around, ""))


def _near(words: Sequence[str], sentence: str, around: str) -> bool:
    text = f"{sentence} {around}".casefold()
    return not words or any(_stands(word.casefold(), text) for word in words)


def _stands(word: str, text: str) -> bool:
    """A single letter must stand alone: the N of `N = 156`, not that of `nothing`."""
    if len(word) > 2 or not word.isascii():
        return word in text
    at = text.find(word)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(word) : at + len(word) + 1]
        if not any(c.isascii() and c.isalnum() for c in around):
            return True
        at = text.find(word, at + 1)
    return False


def _belongs_elsewhere(
    figure: Written, asked: Asked, siblings: Sequence[Asked], givens: Sequence[Fraction]
) -> bool:
    if value_of(asked, figure.number) in givens or figure.number.value in givens:
        return True
    value, right = value_of(asked, figure.number), asked.targets[0].value
    if not value or max(abs(value / right), abs(right / value)) > STRANGE:
        return True
    return any(_comparable(figure, sibling) and met(sibling, figure) for sibling in siblings)


def apart(asked: Asked, number: Num) -> str:
    """How a wrong figure differs from the right one, where that is a factor people slip by."""
    right = asked.targets[0].value
    value = value_of(asked, number)
    if not right or value * right <= 0:
        return ""
    ratio = value / right
    size = max(ratio, 1 / ratio)
    if power := near_power(size):
        return f"off by 10^{power}" if power > 1 else f"10 times too {'much' if ratio > 1 else 'little'}"
    for factor in (2, 3, 4, 8, 16):
        if abs(size / factor - 1) < Fraction(1, 100):
            return f"{factor} times too {'much' if ratio > 1 else 'little'}"
    if abs(size / GIBI - 1) < Fraction(1, 1000) and right >= 10**6:
        return "GiB taken for GB" if ratio < 1 else "GB taken for GiB"
    return f"{decimal(ratio, 3)} times the right value"
