"""Bus bandwidth of an all-reduce."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_BANDWIDTH
from workings.derivations.collectives.ring_all_reduce import RING_ALL_REDUCE
from workings.simulate.ring import all_reduce
from workings.units import BYTE, SECOND
from workings.vocabulary.collective_times import MEASURED_TIME
from workings.vocabulary.collectives import GROUP, MESSAGE


def bytes_a_second_of_an_all_reduce(N: int, S: Fraction, T: Fraction) -> Fraction:
    """The bytes that a rank really sent on a ring, over the time."""
    return all_reduce(N, S).sent[0] / T


BUS_BANDWIDTH_ALL_REDUCE = derivation(
    "bus-bandwidth-all-reduce",
    title="Bus bandwidth of an all-reduce",
    unit=BYTE / SECOND,
    letters={"N": GROUP, "S": MESSAGE, "T": MEASURED_TIME},
    uses={"V": RING_ALL_REDUCE.at()},
    source=NCCL_TESTS_BANDWIDTH,
    oracle=bytes_a_second_of_an_all_reduce,
    convention="`S/T` is the algorithm bandwidth. The bus bandwidth is what a link must carry one way, "
    "to be held against the link's peak.",
    chain="""
    B_AR = V/T                        -- bytes a rank sends, over the time
      = 2*(N - 1)/N*(S/T)             -- a factor times the algorithm bandwidth
      <= 2*(S/T)                      -- nearly 2 on a large group
    """,
)
