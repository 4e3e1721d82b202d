"""The part of an all-to-all that stays inside nodes."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.simulate.exchange import all_to_all_in_nodes
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.layout import NODE_DEVICES


def count_parts_to_node_mates(N: int, S: Fraction, n_node: int) -> Fraction | None:
    """Every part is sent over the link that it needs; bytes over links inside nodes are counted."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links()
    return all_to_all_in_nodes(N, n_node, S, inside, between).sent(0, "inside")


ALL_TO_ALL_INSIDE = derivation(
    "all-to-all-inside",
    title="Bytes of an all-to-all that one rank sends inside its node",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "n_node": NODE_DEVICES},
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=count_parts_to_node_mates,
    convention="`S` is what one rank starts with. `n_node` ranks of the group share each node.",
    chain="""
    V_in = sum(S/N, (i, 1, n_node - 1))  -- a part for each other rank of its node
      = (n_node - 1)/N*S                 -- equal parts
      <= n_node/N*S                      -- a node's share of the ranks
    """,
)
