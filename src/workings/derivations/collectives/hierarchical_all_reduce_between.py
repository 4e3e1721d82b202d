"""Bytes between nodes of a two-level all-reduce."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.derivations.collectives.ring_all_reduce import RING_ALL_REDUCE
from workings.simulate.hierarchy import all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.layout import NODE_DEVICES


def reduce_on_two_levels_between(N: int, S: Fraction, n_node: int) -> Fraction | None:
    """Sums are really made in nodes, between nodes and handed out; bytes between nodes are counted."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links()
    return all_reduce(N, n_node, S, inside, between).sent(0, "between")


HIERARCHICAL_ALL_REDUCE_BETWEEN = derivation(
    "hierarchical-all-reduce-between",
    title="Bytes one rank sends to other nodes in a hierarchical all-reduce",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "n_node": NODE_DEVICES},
    uses={"V": RING_ALL_REDUCE.at(N="N/n_node", S="S/n_node")},
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=reduce_on_two_levels_between,
    convention="`n_node` ranks of the group share each node; each sums its own `S/n_node` bytes with its "
    "counterparts in the other nodes.",
    chain="""
    V_ho = V                                          -- a ring of `N/n_node` nodes for each share
      = 2*(N/n_node - 1)/(N/n_node)*(S/n_node)        -- an all-reduce of `S/n_node` bytes
      = 2*(1 - n_node/N)*S/n_node                     -- collect
      <= 2*S/n_node                                   -- the more ranks a node has, the less each sends
    """,
)
