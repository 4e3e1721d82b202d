"""The part of an all-to-all that leaves the node."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.simulate.exchange import all_to_all_in_nodes
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.layout import NODE_DEVICES


def count_parts_to_other_nodes(N: int, S: Fraction, n_node: int) -> Fraction | None:
    """Every part is sent over the link that it needs; bytes over links between nodes are counted."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links()
    return all_to_all_in_nodes(N, n_node, S, inside, between).sent(0, "between")


ALL_TO_ALL_BETWEEN = derivation(
    "all-to-all-between",
    title="Bytes of an all-to-all that one rank sends to other nodes",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "n_node": NODE_DEVICES},
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=count_parts_to_other_nodes,
    convention="`S` is what one rank starts with. `n_node` ranks of the group share each node.",
    chain="""
    V_out = sum(S/N, (i, 1, N - n_node))  -- a part for each rank outside its node
      = (N - n_node)*(S/N)                -- equal parts
      = (1 - n_node/N)*S                  -- the share that leaves the node
      ≈ [N -> oo] S                       -- over many nodes, nearly everything
    """,
)
