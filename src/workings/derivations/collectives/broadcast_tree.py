"""Broadcast over a binomial tree."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_BROADCAST
from workings.derivations.collectives.doubling_rounds import DOUBLING_ROUNDS
from workings.simulate.clock import BYTES
from workings.simulate.tree import binomial_broadcast
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def busiest_of_the_tree(N: int, S: Fraction) -> Fraction:
    """Ranks that have the message send it on, round by round; the busiest rank's bytes are counted."""
    clock = binomial_broadcast(N, S, BYTES)
    return max(clock.sent(rank) for rank in range(N))


BROADCAST_TREE = derivation(
    "broadcast-tree",
    title="Bytes the root sends in a tree broadcast",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    uses={"q": DOUBLING_ROUNDS.at()},
    source=MPICH_BROADCAST,
    oracle=busiest_of_the_tree,
    convention="A binomial tree: in each round every rank that has the message sends it to one more. The "
    "root is the busiest rank; all ranks together send `(N - 1)*S`.",
    leaves_out="Start-up latency of each round.",
    chain="""
    V_tbc = sum(S, (i, 1, q))      -- the root sends the whole message in every round
      = q*S                        -- `q` rounds
      = ceil(log2(N))*S            -- put the rounds in
    """,
)
