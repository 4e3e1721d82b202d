"""Bus bandwidth of an all-gather."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_BANDWIDTH
from workings.derivations.collectives.ring_all_gather import RING_ALL_GATHER
from workings.simulate.ring import all_gather
from workings.units import BYTE, SECOND
from workings.vocabulary.collective_times import MEASURED_TIME
from workings.vocabulary.collectives import GROUP, MESSAGE


def bytes_a_second_of_an_all_gather(N: int, S: Fraction, T: Fraction) -> Fraction:
    """The bytes that a rank really sent on a ring, over the time."""
    return all_gather(N, S).sent[0] / T


BUS_BANDWIDTH_ALL_GATHER = derivation(
    "bus-bandwidth-all-gather",
    title="Bus bandwidth of an all-gather",
    unit=BYTE / SECOND,
    letters={"N": GROUP, "S": MESSAGE, "T": MEASURED_TIME},
    uses={"V_AG": RING_ALL_GATHER.at()},
    source=NCCL_TESTS_BANDWIDTH,
    oracle=bytes_a_second_of_an_all_gather,
    convention="`S` is the whole gathered message, `S/T` the algorithm bandwidth. The same factor holds "
    "for a reduce-scatter and an all-to-all; for a broadcast and a reduce it is 1.",
    chain="""
    B_AG = V_AG/T                     -- bytes a rank sends, over the time
      = (N - 1)/N*(S/T)               -- a factor times the algorithm bandwidth
      <= S/T                          -- nearly 1 on a large group
    """,
)
