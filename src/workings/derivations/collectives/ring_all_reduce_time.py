"""Time of an all-reduce on a ring."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring_all_gather_time import RING_ALL_GATHER_TIME
from workings.derivations.collectives.ring_reduce_scatter_time import RING_REDUCE_SCATTER_TIME
from workings.derivations.sources import NCCL_TESTS
from workings.simulate.clock import Link
from workings.simulate.timed_ring import all_reduce
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def go_round_twice_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Sums are made on one way round and handed out on a second, each message timed."""
    return all_reduce(N, S, Link(alpha, W_b)).finish


RING_ALL_REDUCE_TIME = derivation(
    "ring-all-reduce-time",
    title="Time of a ring all-reduce",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"T_RS": RING_REDUCE_SCATTER_TIME.at(), "T_AG": RING_ALL_GATHER_TIME.at()},
    source=NCCL_TESTS,
    oracle=go_round_twice_by_the_clock,
    convention="`W_b` is what a rank sends one way; chunks go round in one direction.",
    leaves_out="The additions, and links that other groups use at the same time.",
    chain="""
    T_AR = T_RS + T_AG                                 -- sums are made, then handed out
      = 2*(N - 1)*alpha + 2*(N - 1)/N*S/W_b            -- both take the same time
      >= 2*(N - 1)/N*S/W_b                             -- a bandwidth-bound all-reduce
      ≈ [N -> oo] 2*S/W_b                              -- on a large ring, the whole message twice
    """,
)
