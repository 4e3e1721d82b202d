"""Time of an all-gather on a ring that works both ways, chunks in halves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_AXIS
from workings.derivations.collectives.bidirectional_all_gather import BIDIRECTIONAL_ALL_GATHER
from workings.simulate.clock import Link
from workings.simulate.torus import gather_in_halves
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import LATENCY, RING_DEVICES, TORUS_LINK
from workings.vocabulary.kinds import TORUS


def halves_both_ways_by_the_clock(
    N: int, S: Fraction, alpha: Fraction, W: Fraction, n_ring: int
) -> Fraction:
    """Halves of all chunks go all the way round, one each way, each message timed."""
    return gather_in_halves(N, S, Link(alpha, W)).finish


BIDIRECTIONAL_ALL_GATHER_TIME = derivation(
    "bidirectional-all-gather-time",
    title="Time of a bidirectional ring all-gather, chunks in halves",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    uses={"V_bi": BIDIRECTIONAL_ALL_GATHER.at()},
    given=("n_ring divides N",),
    source=SCALING_BOOK_AXIS,
    oracle=halves_both_ways_by_the_clock,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="`W` counts both directions together, `W/2` each. The axis is a ring: without a link "
    "round its end, only one direction of each link is of use.",
    chain="""
    T_bi = sum(alpha + S/(2*N)/(W/2), (i, 1, N - 1))   -- `N - 1` hops of half a chunk each way
      = (N - 1)*alpha + V_bi/(W/2)                     -- starts, and the bytes of one direction
      = (N - 1)*alpha + (N - 1)/N*S/W                  -- as one direction with all of `W`
    """,
)
