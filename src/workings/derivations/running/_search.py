"""The best interval between checkpoints, searched for."""

from fractions import Fraction
from functools import cache

from workings.simulate.failures import lost_share, mean_gap
from workings.simulate.search import golden_bracket


@cache
def least_lost(
    n: int, M_d: Fraction, delta: Fraction, R: Fraction = Fraction(0)
) -> tuple[Fraction, Fraction]:
    """A bracket of the least share lost, failures struck in every part of each interval tried."""
    gap = mean_gap(n, M_d)
    return golden_bracket(lambda tau: lost_share(tau, delta, gap, R), 0, 4 * (gap + delta), 80)


@cache
def best_interval(n: int, M_d: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """A range of intervals halved until waiting a little longer neither helps nor harms."""
    gap = mean_gap(n, M_d)
    low, high = Fraction(0), 4 * (gap + delta)
    while high - low > low / 10**7:
        middle = (low + high) / 2
        longer = middle + middle / 10**12
        falls = lost_share(longer, delta, gap) < lost_share(middle, delta, gap)
        low, high = (middle, high) if falls else (low, middle)
    return low, high
