"""Reduce over a binomial tree."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_BROADCAST
from workings.derivations.collectives.doubling_rounds import DOUBLING_ROUNDS
from workings.simulate.clock import BYTES
from workings.simulate.tree import binomial_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def received_by_the_root(N: int, S: Fraction) -> Fraction:
    """Sums are folded onto half of the ranks, round by round; what the root receives is counted."""
    return binomial_reduce(N, S, BYTES).received(0)


REDUCE_TREE = derivation(
    "reduce-tree",
    title="Bytes the root receives in a tree reduce",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    uses={"q": DOUBLING_ROUNDS.at()},
    source=MPICH_BROADCAST,
    oracle=received_by_the_root,
    convention="A binomial tree, a broadcast backwards: every other rank sends its sum once, `S` bytes.",
    leaves_out="The additions, and start-up latency of each round.",
    chain="""
    V_red = sum(S, (i, 1, q))      -- a whole sum reaches the root in every round
      = q*S                        -- `q` rounds
      = ceil(log2(N))*S            -- put the rounds in
    """,
)
