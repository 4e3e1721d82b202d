"""All links of a fully wired node, both ways."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import LECTURE_LINKS
from workings.derivations.links.mesh_device_bandwidth import MESH_DEVICE_BANDWIDTH
from workings.derivations.links.mesh_pairs import MESH_PAIRS
from workings.units import BYTE, SECOND
from workings.vocabulary.layout import NODE_DEVICES
from workings.vocabulary.links import PAIR_SPEED


def add_up_every_direction(n_node: int, W_p: Fraction) -> Fraction:
    """For every device, what leads to every other one is added up."""
    ends = range(n_node)
    return sum((W_p for source in ends for target in ends if source != target), Fraction(0))


MESH_NODE_BANDWIDTH = derivation(
    "mesh-node-bandwidth",
    title="Bandwidth of all links of a node, both ways",
    unit=BYTE / SECOND,
    letters={"n_node": NODE_DEVICES, "W_p": PAIR_SPEED},
    uses={"n_pairs": MESH_PAIRS.at(), "B_mesh": MESH_DEVICE_BANDWIDTH.at()},
    source=LECTURE_LINKS,
    oracle=add_up_every_direction,
    convention="The lecture's 75 GB/s × 6 × 2 = 900 GB/s is this sum, over a whole node of four. An "
    "H100's own 900 GB/s is another figure: 18 links × 25 GB/s × 2 of one device, so that a pair has "
    "150 GB/s and the node's sum is 1,800 GB/s.",
    chain="""
    B_node = 2*n_pairs*W_p                -- every pair, each way
      = n_node*(n_node - 1)*W_p           -- put the pairs in
      = n_node*B_mesh                     -- what all devices send, so no device has it to itself
    """,
)
