"""The message size from which a ring all-reduce is faster than a tree."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_REDUCE
from workings.derivations.collectives.doubling_rounds import DOUBLING_ROUNDS
from workings.derivations.collectives.ring_all_reduce_time import RING_ALL_REDUCE_TIME
from workings.derivations.collectives.tree_all_reduce_time import TREE_ALL_REDUCE_TIME
from workings.simulate.clock import Link
from workings.simulate.timed_ring import all_reduce
from workings.simulate.tree import tree_all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def race_ring_and_tree(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> bool:
    """Both all-reduces run by the clock on the same message; the faster one is found."""
    link = Link(alpha, W_b)
    return all_reduce(N, S, link).finish < tree_all_reduce(N, S, link).finish


RING_BEATS_TREE = derivation(
    "ring-beats-tree",
    title="Message from which a ring all-reduce beats a tree",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={
        "T_AR": RING_ALL_REDUCE_TIME.at(),
        "T_ud": TREE_ALL_REDUCE_TIME.at(),
        "q": DOUBLING_ROUNDS.at(),
    },
    given=("q > (N - 1)/N",),
    source=MPICH_ALL_REDUCE,
    oracle=race_ring_and_tree,
    convention="The tree sends the message whole, up and down in `q` rounds each. The condition holds "
    "from two ranks on.",
    leaves_out="Trees through which the message flows in pieces.",
    chain="""
    T_AR < T_ud                                                           -- the ring is faster
      <=> 2*(N - 1)*alpha + 2*(N - 1)/N*S/W_b < 2*q*(alpha + S/W_b)     -- put the times in
      <=> (N - 1 - q)*alpha < (q - (N - 1)/N)*S/W_b                     -- starts lost, transfer saved
      <=> S > (N - 1 - q)/(q - (N - 1)/N)*alpha*W_b                     -- solve for the message
    """,
)
