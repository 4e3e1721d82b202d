"""Least whole numbers that sentences draw from a quotient: `5.006, so at least 5` are too few."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil

from workings.check.comparing import Outcome
from workings.check.figures import Figure
from workings.check.sentences import Claim
from workings.check.steps import in_words
from workings.check.tracing import value_of
from workings.formula.tree import Call, Num
from workings.units import ONE

_SMALLEST = re.compile(
    r"\b(?:smallest|minimum|fewest|at least|least number)\b[^.;]{0,60}$|(?:最少|至少|最小)[^。；]{0,20}$",
    re.IGNORECASE,
)
MOST_BETWEEN = 120  # characters


def smallest_numbers(figures: Sequence[Figure]) -> Iterator[Claim]:
    """`80.1 / 16 = 5.006, so the smallest number of chips is 5`: 5 are too few."""
    for before, figure in pairwise(figures):
        number, value = figure.expression, value_of(before.expression)
        if before.block is not figure.block or not isinstance(number, Num) or value is None:
            continue
        quotient = value[1] == ONE and value[0].denominator != 1
        counts = number.unit is None and number.value.denominator == 1
        gap = figure.block.text[before.end : figure.start]
        if not (quotient and counts) or len(gap) > MOST_BETWEEN or not _SMALLEST.search(gap):
            continue
        enough, words = ceil(value[0]), in_words(before.expression)
        said = f"{words}, so at least {enough}"
        if number.value == enough:
            outcome = Outcome("ok", reason=f"the next whole number above {words}")
        elif number.value == enough - 1:
            reason = f"{enough - 1} is below {words}"
            outcome = Outcome("wrong", reason=reason, written=in_words(number), expected=str(enough))
        else:
            continue
        yield Claim(figure, Call("ceil", (before.expression,)), outcome, said)
