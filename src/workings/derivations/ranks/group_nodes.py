"""Nodes that a group of ranks spans."""

from workings.derivation import derivation
from workings.derivations.ranks._sources import LLAMA3_MESH
from workings.simulate.grid import groups, nodes_of
from workings.units import ONE
from workings.vocabulary.collectives import GROUP
from workings.vocabulary.layout import NODE_DEVICES
from workings.vocabulary.ranks import STRIDE


def mark_the_nodes(N: int, sigma: int, n_node: int) -> int:
    """Ranks laid out and put on nodes; the nodes on which the first rank's group has a member."""
    first = groups("along", {"before": sigma, "along": N})[0]
    return len(nodes_of(first, n_node))


GROUP_NODES = derivation(
    "group-nodes",
    title="Nodes that a group of ranks spans",
    unit=ONE,
    noun="nodes",
    letters={"N": GROUP, "sigma": STRIDE, "n_node": NODE_DEVICES},
    source=LLAMA3_MESH,
    oracle=mark_the_nodes,
    convention="Ranks fill one node after the other; the group of rank 0.",
    chain="""
    M_g = min(N, floor(sum(sigma, (i, 1, N - 1))/n_node) + 1)
                                -- nodes up to that of the last member, but no more than members
      = min(N, floor((N - 1)*sigma/n_node) + 1)      -- equal strides
    """,
)
