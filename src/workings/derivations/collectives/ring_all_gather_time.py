"""Time of an all-gather on a ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_GATHER
from workings.derivations.collectives.ring_all_gather import RING_ALL_GATHER
from workings.simulate.clock import Link
from workings.simulate.timed_ring import all_gather
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def pass_chunks_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Ranks hand on chunks as they arrive, each message timed, until all hold all."""
    return all_gather(N, S, Link(alpha, W_b)).finish


RING_ALL_GATHER_TIME = derivation(
    "ring-all-gather-time",
    title="Time of a ring all-gather",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"V_AG": RING_ALL_GATHER.at()},
    source=MPICH_ALL_GATHER,
    oracle=pass_chunks_by_the_clock,
    convention="`W_b` is what a rank sends one way; chunks go round in one direction.",
    leaves_out="Links that other groups use at the same time.",
    chain="""
    T_AG = sum(alpha + S/(N*W_b), (i, 1, N - 1))  -- `N - 1` hops, each starts and moves one chunk
      = (N - 1)*alpha + V_AG/W_b                  -- starts, and the bytes a rank sends
      = (N - 1)*alpha + (N - 1)/N*S/W_b           -- put the bytes in
      >= (N - 1)/N*S/W_b                          -- a bandwidth-bound gather
      ≈ [N -> oo] S/W_b                           -- on a large ring, the whole message
    """,
)
