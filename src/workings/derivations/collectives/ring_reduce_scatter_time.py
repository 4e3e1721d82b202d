"""Time of a reduce-scatter on a ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_REDUCE_SCATTER
from workings.derivations.collectives.ring_reduce_scatter import RING_REDUCE_SCATTER
from workings.simulate.clock import Link
from workings.simulate.timed_ring import reduce_scatter
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def pass_sums_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Partial sums travel on as soon as they are added up, each message timed."""
    return reduce_scatter(N, S, Link(alpha, W_b)).finish


RING_REDUCE_SCATTER_TIME = derivation(
    "ring-reduce-scatter-time",
    title="Time of a ring reduce-scatter",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"V_RS": RING_REDUCE_SCATTER.at()},
    source=MPICH_REDUCE_SCATTER,
    oracle=pass_sums_by_the_clock,
    convention="`W_b` is what a rank sends one way; chunks go round in one direction.",
    leaves_out="The additions, and links that other groups use at the same time.",
    chain="""
    T_RS = sum(alpha + S/(N*W_b), (i, 1, N - 1))  -- `N - 1` hops, each starts and moves a partial sum
      = (N - 1)*alpha + V_RS/W_b                  -- starts, and the bytes a rank sends
      = (N - 1)*alpha + (N - 1)/N*S/W_b           -- the time of an all-gather
    """,
)
