"""Mistakes in the digits that were written down: two swapped, or one different."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.check.comparing.printed import digits_of, sole_number
from workings.check.comparing.targets import Target
from workings.units import round_decimals


def digit_mistakes(target: Target) -> Iterator[tuple[str, str]]:
    """What the written digits say, against the digits of the value that follows."""
    number = sole_number(target.right)
    digits = digits_of(number) if number is not None else None
    _, value, written = target.at[0]
    if target.letters or number is None or digits is None or not number.value or not written:
        return
    last = digits.last[0] * abs(written / number.value)
    has, wants = str(int(abs(written) / last)), _whole(abs(value) / last)
    if len(has) != len(wants) or len(has) < 2:
        return
    differ = [i for i in range(len(has)) if has[i] != wants[i]]
    if len(differ) == 1:
        i = differ[0]
        yield "digit", f"one digit differs: {has[i]} stands where {wants[i]} follows"
    if len(differ) == 2 and differ[1] == differ[0] + 1:
        i, j = differ
        if has[i] == wants[j] and has[j] == wants[i]:
            yield "transposed-digits", f"the digits {wants[i]}{wants[j]} are swapped"


def _whole(value: Fraction) -> str:
    return str(int(round_decimals(value, 0)))
