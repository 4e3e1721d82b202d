"""An all-reduce is a reduce-scatter followed by an all-gather."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring_all_gather import RING_ALL_GATHER
from workings.derivations.collectives.ring_reduce_scatter import RING_REDUCE_SCATTER
from workings.derivations.sources import SEQUENCE_PARALLEL
from workings.simulate.ring import all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def one_walk_for_both(N: int, S: Fraction) -> Fraction:
    """A single all-reduce walk, not the two walks one after the other."""
    return all_reduce(N, S).sent[0]


ALL_REDUCE_IN_TWO = derivation(
    "all-reduce-in-two",
    title="An all-reduce moves the bytes of a reduce-scatter and an all-gather",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    uses={"V_RS": RING_REDUCE_SCATTER.at(), "V_AG": RING_ALL_GATHER.at()},
    source=SEQUENCE_PARALLEL,
    oracle=one_walk_for_both,
    leaves_out="Start-up latency: two collectives start twice.",
    chain="""
    V_two = V_RS + V_AG                  -- scatter the sums, then gather them
      = (N - 1)/N*S + (N - 1)/N*S      -- each moves all chunks but one
      = 2*(N - 1)/N*S                  -- the bytes of a ring all-reduce
    """,
)
