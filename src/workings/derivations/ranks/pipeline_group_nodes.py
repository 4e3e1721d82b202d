"""Nodes that a pipeline-parallel group spans."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import sizes
from workings.derivations.ranks._sources import LLAMA3_MESH
from workings.derivations.ranks.group_nodes import GROUP_NODES
from workings.simulate.grid import groups, nodes_of
from workings.units import ONE
from workings.vocabulary.layout import CP, NODE_DEVICES, STAGES, TP


def find_its_nodes(t: int, c: int, p: int, n_node: int) -> int:
    """The mesh laid out on nodes; those on which the first pipeline-parallel group has a rank."""
    return len(nodes_of(groups("pp", sizes(t, c, p, 1))[0], n_node))


PIPELINE_GROUP_NODES = derivation(
    "pipeline-group-nodes",
    title="Nodes that a pipeline-parallel group spans",
    unit=ONE,
    noun="nodes",
    letters={"t": TP, "c": CP, "p": STAGES, "n_node": NODE_DEVICES},
    uses={"M_g": GROUP_NODES.at(N="p", sigma="t*c")},
    source=LLAMA3_MESH,
    oracle=find_its_nodes,
    convention="Order [TP, CP, PP, DP]; ranks fill one node after the other; the group of rank 0.",
    chain="""
    M_p = M_g                                  -- `p` ranks, `t*c` apart
      = min(p, floor((p - 1)*t*c/n_node) + 1)    -- put the group in
    """,
)
