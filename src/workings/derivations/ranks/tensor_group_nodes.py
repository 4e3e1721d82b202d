"""Nodes that a tensor-parallel group spans."""

from workings.derivation import derivation
from workings.derivations.ranks._mesh import sizes
from workings.derivations.ranks._sources import LLAMA3_MESH
from workings.simulate.grid import groups, nodes_of
from workings.units import ONE
from workings.vocabulary.layout import NODE_DEVICES, TP


def find_its_nodes(t: int, n_node: int) -> int:
    """The mesh laid out on nodes; those on which the first tensor-parallel group has a rank."""
    return len(nodes_of(groups("tp", sizes(t, 2, 1, 1, 1))[0], n_node))


TENSOR_GROUP_NODES = derivation(
    "tensor-group-nodes",
    title="Nodes that a tensor-parallel group spans",
    unit=ONE,
    noun="nodes",
    letters={"t": TP, "n_node": NODE_DEVICES},
    source=LLAMA3_MESH,
    oracle=find_its_nodes,
    convention="Tensor parallelism varies fastest; ranks fill one node after the other; the "
    "group of rank 0.",
    chain="""
    M_t = floor(sum(1, (i, 1, t - 1))/n_node) + 1     -- full nodes before the last rank, and its own
      = floor((t - 1)/n_node) + 1                     -- its ranks lie side by side
    """,
)
