"""Whether the way to an answer is right: its calculations and formulas against those of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from workings.claims.closeness import agree
from workings.claims.expressions import expressions
from workings.grade.answers import Taken
from workings.grade.following import Place, misplaced, places, results
from workings.grade.formulas import CARRIED, formulas_of, is_one_of
from workings.grade.meeting import value_of as value_in
from workings.grade.sides import Side
from workings.grade.targets import Asked, Target
from workings.grade.written import Written
from workings.marks.quantity import BARE
from workings.marks.tree import Node, Number, leaves, letters
from workings.marks.values import NoValueError, Reading, choices, value_of
from workings.units import ONE

MAX_SIDES = 160
MOST_READ = 4  # readings of a formula's numbers
EXACT = Fraction(1, 10**6)
SMALL = 10  # a calculation that gives a smaller count may be about something else

MethodVerdict = Literal["right", "wrong", "not judged"]


@dataclass(frozen=True)
class Method:
    """What is to be said of the way to an answer, and where that stands (offsets in the file)."""

    verdict: MethodVerdict
    words: str
    offset: int | None = None
    end: int | None = None


def _found(side: Side, verdict: MethodVerdict, words: str) -> Method:
    """A verdict on this side."""
    return Method(verdict, words, *side.span)


@dataclass(frozen=True)
class Calculation:
    """A side without letters, and what it may come to in base units."""

    side: Side
    values: tuple[Fraction, ...]

    def leads_to(self, answer: Written) -> bool:
        """Whether the answer stands further on in the same chain."""
        return any(start <= answer.offset < end for start, end in (one.span for one in self.side.later))

    def gives(self, asked: Asked, target: Target, taken: Taken | None) -> bool:
        """Whether it gives a value of the key, before or after rounding to a whole number."""
        if abs(target.value / asked.unit.scale) < SMALL and not (taken and self.leads_to(taken.written)):
            return False
        counted = asked.unit.dimension == ONE and target.value.denominator == 1
        return self.nears(target.value) or (counted and self.rounds_to(target.value))

    def gives_written(self, asked: Asked, answer: Written) -> bool:
        """Whether it gives the answer, as printed or rounded to a whole number."""
        said = agree(self.side.node, "=", answer.number).word
        return said in ("ok", "rounds", "truncates") or self.rounds_to(value_in(asked, answer.number))

    def meets(self, wanted: Fraction) -> bool:
        """Whether it comes to a value exactly, but for what nobody writes."""
        return any(abs(value - wanted) <= EXACT * abs(wanted) for value in self.values)

    def nears(self, wanted: Fraction) -> bool:
        """Whether it comes to a value but for what was rounded on the way."""
        return any(abs(value - wanted) <= CARRIED * abs(wanted) for value in self.values)

    def rounds_to(self, wanted: Fraction) -> bool:
        """Whether a whole number is the smallest not below it, or above it."""
        return any(wanted in (ceil(value), floor(value) + 1) for value in self.values)


def calculation(asked: Asked, side: Side) -> Calculation:
    """A side and what it may come to."""
    return Calculation(side, _values(asked, side.node))


def judge_method(
    asked: Asked,
    sides: Sequence[Side],
    meanings: Mapping[str, Fraction],
    taken: Taken | None,
    *,
    follows: bool = False,
) -> Method:
    """Right if a calculation gives a value of the key or a formula is the catalogue's.

    Also where a calculation is the key's but for one figure put in; `follows` says that the answer
    follows from such a figure. Wrong if the very calculation that the answer comes from leads elsewhere
    without a slip, or the answer is a known wrong one; else it is not judged.
    """
    sides = [side for side in sides if side.calculates][:MAX_SIDES]
    targets = [target for target in asked.targets if target.kind != "known wrong"]
    numeric = [calculation(asked, side) for side in sides if not letters(side.node)]
    known_wrong = taken is not None and taken.target is not None and taken.target.kind == "known wrong"
    found = None
    if not known_wrong:
        found = _by_value(asked, numeric, targets, taken) or _by_formula(sides, targets, meanings)
    if found is None and taken is not None and (taken.target is None or known_wrong):
        written = [one for one in numeric if one.gives_written(asked, taken.written)]
        near = [
            one for one in numeric if one in written or one.nears(value_in(asked, taken.written.number))
        ]
        found = None if known_wrong else _with_another_figure(near, targets, follows=follows)
        found = found or next(
            (_found(one.side, "wrong", "this calculation is without a slip, and gives the wrong answer")
             for one in written if one.leads_to(taken.written)), None,
        )  # fmt: skip
    if found is None and known_wrong:
        return Method("wrong", "the answer is that of another calculation")
    return found or Method("not judged", "found no calculation or formula that could be compared")


def _by_value(
    asked: Asked, numeric: Sequence[Calculation], targets: Sequence[Target], taken: Taken | None
) -> Method | None:
    """The first calculation that gives a value of the key."""
    for one in numeric:
        target = next((t for t in targets if one.gives(asked, t, taken)), None)
        if target is not None:
            return _found(one.side, "right", f"this calculation gives the value of “{target.words}”")
    return None


def _by_formula(
    sides: Sequence[Side], targets: Sequence[Target], meanings: Mapping[str, Fraction]
) -> Method | None:
    """The first formula that is one of the key's."""
    formulas = formulas_of(targets)
    for side in sides:
        read = expressions(side.node, MOST_READ) if letters(side.node) else ()
        if named := next(filter(None, (is_one_of(tree, formulas, meanings) for tree in read)), ""):
            return _found(side, "right", f"this is a formula of {named}")
    return None


def _with_another_figure(
    near: Sequence[Calculation], targets: Sequence[Target], *, follows: bool
) -> Method | None:
    """The first calculation that is the key's but for one figure that was put in."""
    for one in near:
        side = one.side
        if follows:
            return _found(side, "right", "this calculation gives what follows from that figure")
        for number in (n for n in leaves(side.node) if isinstance(n, Number) and n.end):
            if (place := _place_of(one, number, targets)) is not None:
                instead = f"{side.block.text[number.start : number.end]} in place of {place.letter}"
                return _found(
                    side, "right", f"this calculation is the key's with {instead} ({place.meaning})"
                )
    return None


def _place_of(one: Calculation, number: Number, targets: Sequence[Target]) -> Place | None:
    """Where in the key's formula a calculation has another number, and nothing else unlike it."""
    for target in targets:
        for place in places(target):
            value = misplaced(number, place)
            if value is not None and any(map(one.nears, results(target, place, value))):
                return place
    return None


def _values(asked: Asked, node: Node) -> tuple[Fraction, ...]:
    """What a calculation may come to; without the unit asked for also read in the key's."""
    found: dict[Fraction, None] = {}
    for choice in choices(node):
        try:
            value = value_of(node, Reading(choice))
            if value.dimension not in (asked.unit.dimension.exponents, BARE):
                value = value_of(node, Reading(choice, faces=True))
        except (NoValueError, OverflowError):
            continue
        if value.dimension == BARE:
            found[value.middle * asked.unit.scale] = None
        found[value.middle] = None
    return tuple(found)
