"""Answers that are right but for figures which the student rounded on the way, and printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

from workings.claims.closeness import stands_for
from workings.errors import UserError
from workings.formula import evaluate
from workings.formula.interval import rational
from workings.formula.tree import Expr, Relations, Series, walk
from workings.grade.following import CLOSE, leads, places, used_below
from workings.grade.formulas import SCALES, forms, letter_values
from workings.grade.meeting import gives, value_of
from workings.grade.method import Calculation, calculation
from workings.grade.readings import readings
from workings.grade.sides import Side
from workings.grade.targets import Asked, Formula, Target
from workings.grade.written import Written
from workings.marks.quantity import Printed
from workings.marks.tree import Node, Number, Operation, letters
from workings.marks.values import choices
from workings.units import ONE

DIGITS = 2  # of a figure in a calculation that is the key's
FEWEST = 3  # of a figure that only stands before the answer
MOST = 200  # figures and calculations tried
FAR = 2  # times the right value: what differs more is not rounded, but has another unit


def own_rounding(asked: Asked, answer: Written, figures: Sequence[Written], sides: Sequence[Side]) -> str:
    """What a right answer is rounded from, in words; "" where it is not right in this way."""
    targets = [target for target in asked.targets if target.kind != "known wrong" and target.share == 1]
    for target in targets:
        if not target.value or not 1 < FAR * value_of(asked, answer.number) / target.value < FAR**2:
            continue
        if _is_next_whole(asked, target, answer, figures):
            return "right: the whole number that follows from the value before it"
        for side in sides[:MOST]:
            if _is_rounded(asked, target, calculation(asked, side), answer):
                return "right with the figures as they are rounded in the calculation"
        for figure in (f for f in figures[:MOST] if f.offset < answer.offset):
            if _follows(asked, target, figure, answer):
                return "right with a figure as it is rounded before"
    return ""


def _is_next_whole(asked: Asked, target: Target, answer: Written, figures: Sequence[Written]) -> bool:
    """Whether the value stands before an answer that is the smallest whole number not below it."""
    if asked.unit.dimension != ONE or value_of(asked, answer.number) != ceil(target.value):
        return False
    before = (f for f in figures[:MOST] if f.offset < answer.offset)
    return any(gives(asked, f.number, target.value, FEWEST) for f in before)


def _follows(asked: Asked, target: Target, figure: Written, answer: Written) -> bool:
    """Whether the key's formula gives the answer with a rounded figure in the place it belongs to."""
    if abs(value_of(asked, answer.number) - target.value) > CLOSE * abs(target.value):
        return False
    for place in places(target):
        plain = Fraction(1) if place.dimension == ONE else None
        for digits, scale in readings(figure.number, place.dimension, plain):
            value = digits.value * scale
            if value == place.value or not stands_for(place.value / scale, digits, FEWEST):
                continue
            if leads(asked, target, place, value, answer):
                return True
    return False


def _is_rounded(asked: Asked, target: Target, one: Calculation, answer: Written) -> bool:
    """Whether a calculation is printed with the answer, and gives the key's with unrounded figures."""
    if letters(one.side.node) or not isinstance(one.side.node, Operation):
        return False
    if not one.gives_written(asked, answer):
        return False
    known = list(dict.fromkeys(_known(target)))
    node = _unrounded(one.side.node, known, asked.unit.scale)
    if node == one.side.node:
        return False
    exact, value = calculation(asked, replace(one.side, node=node)), value_of(asked, answer.number)
    whole = asked.unit.dimension == ONE and target.value.denominator == value.denominator == 1
    if whole and exact.rounds_to(target.value):  # to the next one, and not to 155 from 155.2
        return one.rounds_to(value)
    return exact.meets(target.value)


def _known(target: Target) -> Iterator[Fraction]:
    """The values that stand in the key's formulas, and those of their parts."""
    yield from (place.value for place in places(target))
    made = list(target.formulas.values())
    made += [Formula(used, one.binding) for one in made for _, used in used_below(one.derivation)]
    for formula in made:
        values = letter_values(formula)
        for form in forms(formula):
            for part in walk(form):
                if not isinstance(part, Relations | Series):
                    yield from _value(part, values)


def _value(part: Expr, values: dict[str, Fraction]) -> Iterator[Fraction]:
    try:
        yield rational(evaluate(part, values))
    except UserError:
        return


def _unrounded(node: Node, known: Sequence[Fraction], scale: Fraction) -> Node:
    """A calculation with the exact values in place of rounded ones."""
    match node:
        case Operation(sign, parts):
            return Operation(sign, tuple(_unrounded(part, known, scale) for part in parts))
        case Number():
            digits, unit = next(iter(choices(node)))[id(node)]
            scales = [unit.scale] if unit.word else [scale, *SCALES]
            if any(digits.value * one == value for one in scales for value in known):
                return node
            for one in scales:
                for value in known:
                    if value and stands_for(value / one, digits, DIGITS):
                        return replace(node, printed=(Printed(value / one, Fraction(0)),))
    return node
