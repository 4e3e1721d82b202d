"""What a tensor-parallel group loses where it leaves its node."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._sources import SCALING_BOOK_GPU_NODES
from workings.simulate.node_rings import all_gather_time
from workings.units import ONE
from workings.vocabulary.hardware import LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.tensor_parallel import NODE_RINGS


def run_rings_over_two_nodes(n_ring: int, W_1: Fraction, W_2: Fraction) -> Fraction:
    """A group on two nodes and one on a single node; the busiest link of each, over the other's."""
    per_node = n_ring + n_ring % 2
    across = all_gather_time(2, per_node, n_ring, Fraction(1), W_1, W_2)
    return across / all_gather_time(1, 2 * per_node, 1, Fraction(1), W_1, W_2)


TP_BETWEEN_NODES = derivation(
    "tp-between-nodes",
    title="Slowdown of tensor-parallel transfers whose group leaves its node",
    unit=ONE,
    letters={"n_ring": NODE_RINGS, "W_1": LINK_ONE_WAY, "W_2": NETWORK_ONE_WAY},
    given=("W_1 > n_ring*W_2",),
    source=SCALING_BOOK_GPU_NODES,
    oracle=run_rings_over_two_nodes,
    convention="The group fills whole nodes; its message is shared evenly by `n_ring` rings, each of "
    "which leaves a node over a network card of its own. One ring: `W_1/W_2`.",
    leaves_out="Latency, which is longer between nodes; other traffic on the network; reductions inside "
    "switches.",
    chain="""
    r_net = 1/(n_ring*W_2)/(1/W_1)       -- seconds a byte on the network cards together, and inside
      = W_1/(n_ring*W_2)                 -- divide
    """,
)
