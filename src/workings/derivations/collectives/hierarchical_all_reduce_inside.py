"""Bytes inside nodes of a two-level all-reduce."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.derivations.collectives.ring_all_gather import RING_ALL_GATHER
from workings.derivations.collectives.ring_reduce_scatter import RING_REDUCE_SCATTER
from workings.simulate.hierarchy import all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.layout import NODE_DEVICES


def reduce_on_two_levels_inside(N: int, S: Fraction, n_node: int) -> Fraction | None:
    """Sums are really made in nodes, between nodes and handed out; bytes inside nodes are counted."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links()
    return all_reduce(N, n_node, S, inside, between).sent(0, "inside")


HIERARCHICAL_ALL_REDUCE_INSIDE = derivation(
    "hierarchical-all-reduce-inside",
    title="Bytes one rank sends inside its node in a hierarchical all-reduce",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "n_node": NODE_DEVICES},
    uses={
        "V_RS": RING_REDUCE_SCATTER.at(N="n_node"),
        "V_AG": RING_ALL_GATHER.at(N="n_node"),
    },
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=reduce_on_two_levels_inside,
    convention="`n_node` ranks of the group share each node: reduce-scatter in the node, all-reduce "
    "between nodes, all-gather in the node.",
    chain="""
    V_hi = V_RS + V_AG                  -- a ring inside the node, before and after
      = 2*(n_node - 1)/n_node*S         -- the bytes of an all-reduce in one node
      <= 2*S                            -- whatever the number of nodes
    """,
)
