"""Axes of figures: round distances between ticks, and an end that is a tick too."""

from __future__ import annotations

from fractions import Fraction

from workings.units import round_significant

STEPS = (2, 5, 10, 20, 50)  # between the ticks of an axis, times a power of ten
MOST_TICKS = 8  # after 0


def round_axis(longest: Fraction) -> tuple[Fraction, tuple[Fraction, ...]]:
    """The end of an axis on which a length above 0 lies, and its ticks from 0 to there."""
    tenth_of_leading = Fraction(10) ** (-round_significant(longest, 1)[1] - 1)
    step = next(one * tenth_of_leading for one in STEPS if longest / tenth_of_leading / one <= MOST_TICKS)
    count = int(-(-longest // step))
    return count * step, tuple(i * step for i in range(count + 1))
