"""Nodes that a data-parallel group spans."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import MOST, ORDER, ORDERED, SIZES, sizes
from workings.derivations.ranks._sources import LLAMA3_MESH
from workings.derivations.ranks.group_nodes import GROUP_NODES
from workings.simulate.grid import groups, nodes_of
from workings.units import ONE
from workings.vocabulary.layout import NODE_DEVICES


def find_its_nodes(t: int, c: int, p: int, d: int, o_d: int, n_node: int) -> int | None:
    """The mesh laid out on nodes; those on which the first data-parallel group has a rank."""
    if t * c * p * d > MOST:
        return None
    return len(nodes_of(groups("dp", sizes(t, c, p, d, o_d))[0], n_node))


DATA_GROUP_NODES = derivation(
    "data-group-nodes",
    title="Nodes that a data-parallel group spans",
    unit=ONE,
    noun="nodes",
    letters={**SIZES, **ORDER, "n_node": NODE_DEVICES},
    uses={"M_g": GROUP_NODES.at(N="d", sigma="t*c*p^(1 - o_d)")},
    source=LLAMA3_MESH,
    oracle=find_its_nodes,
    convention=f"Ranks fill one node after the other; the group of rank 0. {ORDERED}",
    chain="""
    M_d = M_g       -- `d` members, `t*c*p^(1 - o_d)` ranks apart
    """,
)
