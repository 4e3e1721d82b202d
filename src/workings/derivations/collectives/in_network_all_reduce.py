"""All-reduce that the switch sums."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODE
from workings.simulate.switch_reduce import switched_all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.kinds import SWITCH


def sum_in_the_switch(N: int, S: Fraction) -> Fraction:
    """The switch draws each part from all ranks, adds and copies it; a rank's bytes are counted."""
    return max(link.up for link in switched_all_reduce(N, S))


IN_NETWORK_ALL_REDUCE = derivation(
    "in-network-all-reduce",
    title="Bytes one rank sends in an all-reduce that the switch sums",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    given=("N >= 2",),
    source=SCALING_BOOK_NODE,
    oracle=sum_in_the_switch,
    holds_for={SWITCH: "ring-all-reduce"},
    convention="In-network reduction (SHARP): each rank owns `S/N` of the message; the switch adds what "
    "the others hold of it, the owner adds its own and sends the sum once, and the switch copies it "
    "to all. Each rank receives as many bytes.",
    leaves_out="Start-up latency. Kernels that draw a rank's own part through the switch too send "
    "`S/N` more.",
    chain="""
    V_sw = sum(S/N, (i, 1, N - 1)) + S/N   -- a part for each other rank's sum; its own sum, once
      = (N - 1)*(S/N) + S/N                -- equal parts
      = S                                  -- the whole message, whatever the number of ranks
    """,
)
