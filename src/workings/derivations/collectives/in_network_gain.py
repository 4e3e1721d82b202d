"""What an all-reduce gains where the switch sums."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODE
from workings.derivations.collectives.in_network_all_reduce import IN_NETWORK_ALL_REDUCE
from workings.derivations.collectives.ring_all_reduce import RING_ALL_REDUCE
from workings.simulate.ring import all_reduce
from workings.simulate.switch_reduce import switched_all_reduce
from workings.units import ONE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.kinds import SWITCH


def ring_and_switch(N: int, S: Fraction) -> Fraction:
    """The same message summed round a ring and in a switch; the bytes of one rank, divided."""
    return all_reduce(N, S).sent[0] / switched_all_reduce(N, S)[0].up


IN_NETWORK_GAIN = derivation(
    "in-network-gain",
    title="A ring all-reduce against one that the switch sums",
    unit=ONE,
    letters={"N": GROUP, "S": MESSAGE},
    uses={"V": RING_ALL_REDUCE.at(), "V_sw": IN_NETWORK_ALL_REDUCE.at()},
    given=("N >= 2",),
    source=SCALING_BOOK_NODE,
    oracle=ring_and_switch,
    holds_for={SWITCH: ""},
    convention="Bytes of one rank over bytes of one rank: how much faster links of equal bandwidth can "
    "be. 8 ranks: 1.75.",
    leaves_out="What is measured: about 1.3 on a node of eight H100.",
    chain="""
    r_sw = V/V_sw               -- bytes round the ring, over bytes to the switch
      = (2*(N - 1)/N*S)/S       -- put both in
      = 2*(N - 1)/N             -- the size drops out
      < 2                       -- `N - 1 < N`: at most twice as fast
    """,
)
