"""What a printed number may stand for where a value of some dimension is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.marks.quantity import BARE, Printed
from workings.marks.tree import Number
from workings.units import ONE, Dimension


def readings(
    number: Number, wanted: Dimension, plain: Fraction | None = None
) -> Iterator[tuple[Printed, Fraction]]:
    """Its digits and what one of them is worth, in each admissible reading.

    A number without a unit is worth `plain` of what is wanted, if anything, or one: `bytes: 3.5e12`.
    """
    for unit in number.units:
        for digits in number.printed:
            share = unit.dimension == BARE and plain not in (None, 1)  # where percents are asked for
            if share and unit.word != "%" and wanted == ONE:
                yield digits, unit.scale * (plain or 1)
            if Dimension(*map(Fraction, unit.dimension)) == wanted:
                yield digits, unit.scale
            elif unit.dimension == BARE and unit.word != "%" and plain is not None:
                yield digits, unit.scale * plain
                yield digits, unit.scale


def values(number: Number, wanted: Dimension, plain: Fraction | None = None) -> list[Fraction]:
    """Its value in base units in each admissible reading, the likeliest first."""
    return [digits.value * scale for digits, scale in readings(number, wanted, plain)]


def is_count(number: Number) -> bool:
    """Whether it may be without a unit."""
    return any(unit.dimension == BARE for unit in number.units)


def face(number: Number) -> Fraction:
    """What stands there, its unit left out."""
    scales = (unit.scale for unit in number.units if unit.dimension == BARE)
    return number.printed[0].value * next(scales, Fraction(1))
