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
