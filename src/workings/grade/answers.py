"""Which figure of a part is somebody's answer, and what the key says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from workings.claims.closeness import stands_for
from workings.comparing.shown import decimal
from workings.grade.readings import face, is_count, readings
from workings.grade.targets import Asked, Target
from workings.grade.wording import BEFORE, IN_CLAUSE, Fit, fit, named, nearness
from workings.grade.written import Written
from workings.marks.quantity import Printed
from workings.marks.tree import Number
from workings.units import ONE

STRANGE = 10**7  # a figure so far from the right one is about something else
BOLD = 4
STATED = 2  # what a figure must look like at least; one that the key knows does
SURE = 3  # a figure at least this strong is meant as an answer
DIGITS = 2  # of an answer, where the key says nothing
UNLIKELY = 3  # digits that hardly agree by chance with one of many values
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
    fit: Fit
    order: int

    @property
    def score(self) -> int:
        """How much it looks like an answer, and like the answer to this question."""
        return max(self.figure.strength, STATED) + self.near + (self.fit.level == IN_CLAUSE)

    @property
    def merit(self) -> int:
        """How good an answer it is."""
        order = ("known wrong", "accepted", "right")
        return order.index(self.target.kind) + 1 if self.target else 0


def take(
    asked: Asked, figures: Sequence[Written], questions: Sequence[Asked], givens: Sequence[Fraction]
) -> Taken | None:
    """The answer of a part, or None where no figure can be taken for one.

    `questions` are all of the part: a figure whose words fit another of them better is not mistaken for
    this one's answer; nor are the `givens` of the exercise. Among figures that look alike, one that is
    right is preferred.
    """
    found = _Search(asked, tuple(figures), tuple(questions), tuple(givens)).candidates()
    if not found:
        return None
    found.sort(key=lambda c: (c.score, c.merit, c.fit.level, c.order), reverse=True)
    best = found[0]
    others = tuple(
        c.figure for c in found[1:]
        if c.score == best.score and c.target is not best.target and c.figure.said != best.figure.said
    )  # fmt: skip
    meant = best.score >= SURE and (best.near > 0 or len(questions) == 1)
    sure = not others and (meant or (best.target is not None and best.near > 0))
    return Taken(best.figure, best.target, sure, others[:3])


@dataclass(frozen=True)
class _Search:
    """The search for the answer to one question among the figures of its part."""

    asked: Asked
    figures: tuple[Written, ...]
    questions: tuple[Asked, ...]
    givens: tuple[Fraction, ...]

    @cached_property
    def right(self) -> dict[str, list[Written]]:
        """The figures that each question accepts, by its id."""
        return {
            q.answer.id: [f for f in self.figures if comparable(f, q) and met(q, f)]
            for q in self.questions
        }

    def fit(self, asked: Asked, figure: Written) -> Fit:
        """How well a figure's words fit a question."""
        return fit(asked, figure, self.questions)

    def candidates(self) -> list[_Candidate]:
        """The figures that may be the answer; where one has the question's own words, no swapped one."""
        found = [
            _Candidate(figure, target, nearness(self.asked, figure), self.fit(self.asked, figure), order)
            for order, figure in enumerate(self.figures)
            if comparable(figure, self.asked)
            and ((target := met(self.asked, figure)) or self.is_stated(figure))
        ]
        if any(c.fit.level == IN_CLAUSE for c in found):
            return [c for c in found if not self.is_swapped(c)]
        return found

    def is_stated(self, figure: Written) -> bool:
        """Whether a figure that is not right is meant as this answer.

        When in doubt, nothing is found rather than something wrong: a figure in passing is no answer,
        nor a plain number where bytes are asked for, which may count anything.
        """
        asked, near, alone = self.asked, nearness(self.asked, figure), len(self.questions) == 1
        counted = asked.targets[0].dimension == ONE
        named_there = bool(figure.noun) and self.fit(asked, figure).level == IN_CLAUSE
        least = STATED if counted or not is_count(figure.number) else BOLD
        if figure.strength < least and not named_there:
            return False
        if not near and (not alone or figure.strength < SURE):
            return False
        return not self.is_of_the_exercise(figure) and not any(
            self.is_anothers(figure, other) for other in self.questions if other is not asked
        )

    def is_of_the_exercise(self, figure: Written) -> bool:
        """Whether a figure is one of the exercise, or of another size altogether."""
        found, right = values_of(self.asked, figure.number), self.asked.targets[0].value
        if face(figure.number) in self.givens or any(value in self.givens for value in found):
            return True
        return all(not v or max(abs(v / right), abs(right / v)) > STRANGE for v in found)

    def is_anothers(self, figure: Written, other: Asked) -> bool:
        """Whether a figure that is not right here is rather meant for another question."""
        if not comparable(figure, other):
            return False
        mine, others = self.fit(self.asked, figure), self.fit(other, figure)
        if figure in self.right[other.answer.id]:
            return others.level == IN_CLAUSE or mine.level < IN_CLAUSE or self.is_answered
        if mine != others:
            return others > mine
        # One figure answers one question: of two that it may answer, the first that has no right answer.
        first = next(q for q in self.questions if q is other or q is self.asked)
        return first is other and not self.right[other.answer.id]

    @cached_property
    def is_answered(self) -> bool:
        """Whether a right answer is given with the words of its question."""
        return any(self.fit(self.asked, f).level == IN_CLAUSE for f in self.right[self.asked.answer.id])

    def is_swapped(self, found: _Candidate) -> bool:
        """Whether the right figure is given as the answer to another question."""
        return found.fit.level < BEFORE and any(
            self.fit(other, found.figure).level == IN_CLAUSE
            for other in self.questions
            if other is not self.asked and comparable(found.figure, other)
        )


def met(asked: Asked, figure: Written) -> Target | None:
    """The first target that a figure gives, the right one before the others."""
    for target in asked.targets:
        words_fit = target.near == asked.answer.near or named(target.near, figure.sentence, figure.around)
        least = 1 if target.kind == "right" or asked.answer.digits else UNLIKELY
        if words_fit and gives(asked, figure.number, target.value, least):
            return target
    return None


def gives(asked: Asked, number: Number, value: Fraction, least: int = 1) -> bool:
    """Whether a printed number stands for a value (in base units) in any reading, as the key wants it.

    To so many digits as the key asks for, and `least`.
    """
    for digits, scale in _readings(asked, number):
        if asked.tolerance is None:
            if stands_for(value / scale, digits, max(least, asked.answer.digits or DIGITS)):
                return True
        elif abs(digits.value * scale - value) <= asked.tolerance * abs(value):
            return True
    return False


def _readings(asked: Asked, number: Number) -> Iterator[tuple[Printed, Fraction]]:
    """The digits and what they are worth; without a unit they are taken in the key's."""
    return readings(number, asked.unit.dimension, asked.unit.scale)


def values_of(asked: Asked, number: Number) -> list[Fraction]:
    """The values of a printed number in base units, the likeliest first."""
    return [digits.value * scale for digits, scale in _readings(asked, number)]


def value_of(asked: Asked, number: Number) -> Fraction:
    """Its likeliest value."""
    return values_of(asked, number)[0]


def comparable(figure: Written, asked: Asked) -> bool:
    """A figure in the unit that is asked for, or without a unit and with no other noun."""
    wanted = asked.unit.dimension
    if wanted != ONE and any(readings(figure.number, wanted)):
        return True
    counted = not figure.noun or (wanted == ONE and named(asked.answer.noun, figure.noun, ""))
    return counted and bool(values_of(asked, figure.number))


def apart(asked: Asked, number: Number) -> str:
    """How a wrong figure differs from the right one, where that is a factor people slip by."""
    right = asked.targets[0].value
    value = value_of(asked, number)
    if not right or value * right <= 0:
        return ""
    if asked.unit.dimension == ONE and right.denominator == 1 and abs(value - right) == 1:
        return f"one {'less' if value < right else 'more'} than the right value"
    shorter = (stands_for(right / scale, digits, 1) for digits, scale in _readings(asked, number))
    if asked.tolerance is None and any(shorter):
        return f"right, but to fewer than {asked.answer.digits or DIGITS} digits"
    ratio = value / right
    size = max(ratio, 1 / ratio)
    if power := _power(size):
        return f"off by 10^{power}" if power > 1 else f"10 times too {'much' if ratio > 1 else 'little'}"
    for factor in (2, 3, 4, 8, 16):
        if abs(size / factor - 1) < Fraction(1, 100):
            return f"{factor} times too {'much' if ratio > 1 else 'little'}"
    if abs(size / GIBI - 1) < Fraction(1, 1000) and right >= 10**6:
        return "GiB taken for GB" if ratio < 1 else "GB taken for GiB"
    return f"{decimal(ratio, 3)} times the right value"


def _power(size: Fraction) -> int | None:
    """n where a number of 1 or more is 10^n within 5 %, else None."""
    power = len(str(int(size * Fraction(21, 20)))) - 1
    return power if abs(size / Fraction(10) ** power - 1) < Fraction(1, 20) else None
