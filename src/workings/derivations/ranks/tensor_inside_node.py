"""Tensor parallelism inside a node."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import MEGATRON_NODES
from workings.simulate.grid import nodes_of
from workings.units import ONE
from workings.vocabulary.layout import NODE_DEVICES, TP


def lay_the_first_group(t: int, n_node: int) -> bool:
    """The first `t` ranks put on nodes one by one; whether one node takes them all."""
    return len(nodes_of(range(t), n_node)) == 1


TENSOR_INSIDE_NODE = derivation(
    "tensor-inside-node",
    title="Tensor-parallel degree up to which a group stays inside a node",
    unit=ONE,
    noun="devices",
    letters={"t": TP, "n_node": NODE_DEVICES},
    source=MEGATRON_NODES,
    oracle=lay_the_first_group,
    convention="The innermost axis, the group of rank 0; all groups if `t` also divides `n_node`.",
    chain="""
    t - 1 <= n_node - 1          -- the group's last rank is on the node of ranks 0 to `n_node - 1`
      <=> t <= n_node            -- the fast links of a node reach all of them
    """,
)
