"""Bytes of a two-level all-gather."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.derivations.collectives.ring_all_gather import RING_ALL_GATHER
from workings.simulate.hierarchy import all_gather
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.layout import NODE_DEVICES


def gather_on_two_levels(N: int, S: Fraction, n_node: int) -> Fraction | None:
    """Shares are gathered between nodes, then inside them; all bytes of one rank are counted."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links()
    clock = all_gather(N, n_node, S, inside, between)
    return clock.sent(0, "inside") + clock.sent(0, "between")


HIERARCHICAL_ALL_GATHER = derivation(
    "hierarchical-all-gather",
    title="Bytes one rank sends in a hierarchical all-gather",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "n_node": NODE_DEVICES},
    uses={
        "V_go": RING_ALL_GATHER.at(N="N/n_node", S="S/n_node"),
        "V_gi": RING_ALL_GATHER.at(N="n_node"),
    },
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=gather_on_two_levels,
    convention="`n_node` ranks of the group share each node. Each gathers its share `S/n_node` from the "
    "other nodes, then the shares are gathered in the node. A reduce-scatter is the same backwards.",
    chain="""
    V_hg = V_go + V_gi                                     -- between nodes, then inside
      = (N/n_node - 1)/(N/n_node)*(S/n_node) + (n_node - 1)/n_node*S   -- two rings
      = (N - 1)/N*S                                        -- no more than on one flat ring
    """,
)
