"""The odds of a result: where it lies if what is unknown goes its own ways, not all worst at once.

Odds are POINTS factors of what is expected, all equally likely, at even ranks. Those of a step are what
published runs took over what the model says of them, so that whatever a step rests on (efficiencies of
products, links and network, what hides) is in them, and is not counted again. What a run takes beside its
steps, goodput, price and tokens, is independent of these: half of its odds lie to each side of its value,
densest there and falling in a line to none at the end of its range. A product takes every pair of factors
and thins them to as many again: no chance is in it, so that a review says the same on every machine.

Of devices on which too few runs were published, the odds of a step and of memory are assumed: eight of
ten lie within what the assumptions allow, or within what all published runs did where that is wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import exp, log, sqrt

from workings.planning.accuracy import Run, Spread, at_shares
from workings.planning.job import Figure

Odds = tuple[float, ...]  # ascending
POINTS = 201
DECILES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
_SHARES = tuple(Fraction(2 * place + 1, 2 * POINTS) for place in range(POINTS))
# By which power of a letter a result of the whole run grows, the letters beside the step's own.
BESIDE: Mapping[str, Mapping[str, int]] = {
    "T_run": {"T_tok": 1, "gamma": -1}, "c_run": {"T_tok": 1, "gamma": -1, "c_d": 1},
}  # fmt: skip


@lru_cache(64)
def of_runs(runs: tuple[Run, ...]) -> Odds:
    """What published runs took over what the model says of them, each source alike."""
    return tuple(map(float, at_shares(runs, _SHARES)))


def beside(result: str, figures: Mapping[str, Figure]) -> list[Odds]:
    """The factors of a result that have nothing to do with its steps, of those that have a range."""
    uncertain = ((figures[n], power) for n, power in BESIDE.get(result, {}).items())
    return [of_range(figure, power) for figure, power in uncertain if not figure.sure and figure.value]


def of_range(figure: Figure, power: int = 1) -> Odds:
    """A figure over its value, to a power, at even ranks of its range."""
    ends = [figure.value if end is None else end for end in (figure.low, figure.high)]
    least, most = (float(end / figure.value) - 1 for end in (min(ends), max(ends)))
    return tuple(sorted((1 + _off(float(share), least, most)) ** power for share in _SHARES))


def _off(share: float, least: float, most: float) -> float:
    """How far off its value, below or above it, a share of the odds lies below."""
    return least * (1 - sqrt(2 * share)) if share < 1 / 2 else most * (1 - sqrt(2 - 2 * share))


def assumed(ends: Spread) -> Odds:
    """Odds of which eight of ten lie between two ends, half of them on each side of the middle."""
    scale = 1 - sqrt(2 * DECILES[0])
    least, most = (log(end / ends.middle) / scale for end in (ends.least, ends.most))
    return tuple(float(ends.middle) * exp(_off(float(share), least, most)) for share in _SHARES)


def either(one: Fraction, other: Fraction) -> Odds:
    """Odds of two values, each as likely."""
    half = POINTS // 2
    return (float(min(one, other)),) * (half + 1) + (float(max(one, other)),) * half


def together(factors: Sequence[Odds]) -> Odds:
    """The odds of a product of independent factors."""
    return reduce(_product, factors)


@lru_cache(256)
def _product(one: Odds, other: Odds) -> Odds:
    every = sorted(a * b for a, b in product(one, other))
    return tuple(every[POINTS // 2 :: POINTS])  # the middle of each POINTS-th of them


def deciles(odds: Odds) -> Spread:
    """The first decile, the median and the last, between ranks in proportion."""
    return Spread(*(_at(odds, share) for share in DECILES))


def _at(odds: Odds, share: Fraction) -> Fraction:
    place = share * len(odds) - Fraction(1, 2)
    below, above = Fraction(odds[int(place)]), Fraction(odds[min(int(place) + 1, len(odds) - 1)])
    return below + (above - below) * (place - int(place))


def chance(odds: Odds, most: Fraction) -> Fraction:
    """The chance that a factor is so large at most, in hundredths, rounded to the safe side."""
    kept = sum(factor <= most for factor in odds)
    return Fraction(100 * kept // len(odds), 100)
