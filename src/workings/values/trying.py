"""Where a result crosses a limit, found by trying whole numbers, where no closed form says it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

MOST_DOUBLINGS = 40
ALL = 64  # numbers that are tried one by one, before they are doubled
SAID = (
    "Found by trying: the result {way} at each number tried, and is taken to do so between them, for no "
    "closed form says where it crosses the limit."
)
ALIKE = (
    "Found by trying: the result crosses the limit nowhere up to {last:,}, and no larger number can be "
    "tried."
)


def crossing(
    value: Callable[[Fraction], Fraction | None], keeps: Callable[[Fraction], bool]
) -> tuple[dict[Fraction, Fraction], str] | None:
    """The results at the numbers around a crossing and at those tried before it, and what to say of it.

    None where the result neither rises nor falls throughout. It may cross nowhere within reach.
    """
    tried: dict[Fraction, Fraction] = {}
    for at in _numbers():
        if (there := value(at)) is not None:
            tried[at] = there
        elif tried:
            break
        if len(tried) > 1 and len({keeps(one) for one in tried.values()}) > 1 and at > ALL:
            break
    while (between := _between(tried, keeps)) is not None:
        there = value(between)
        if there is None:
            return None
        tried = dict(sorted({**tried, between: there}.items()))
    rises = {after >= before for before, after in pairwise(tried.values())}
    if len(rises) != 1:
        return None
    if len({keeps(one) for one in tried.values()}) == 1:
        return tried, ALIKE.format(last=int(max(tried)))
    return tried, SAID.format(way="rises" if rises == {True} else "falls")


def _numbers() -> list[Fraction]:
    return [Fraction(n) for n in range(1, ALL + 1)] + [
        Fraction(ALL * 2**n) for n in range(1, MOST_DOUBLINGS)
    ]


def _between(tried: dict[Fraction, Fraction], keeps: Callable[[Fraction], bool]) -> Fraction | None:
    """The middle of the two neighbours of which one keeps the condition; None where they touch."""
    for (low, below), (high, above) in pairwise(tried.items()):
        if keeps(below) != keeps(above):
            return Fraction((low + high) // 2) if high - low > 1 else None
    return None
