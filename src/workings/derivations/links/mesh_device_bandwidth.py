"""What one device of a fully wired node can send."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import LECTURE_LINKS
from workings.units import BYTE, SECOND
from workings.vocabulary.layout import NODE_DEVICES
from workings.vocabulary.links import PAIR_SPEED


def add_up_peers(n_node: int, W_p: Fraction) -> Fraction:
    """What leads from the first device to each other one is added up."""
    return sum((W_p for peer in range(n_node) if peer != 0), Fraction(0))


MESH_DEVICE_BANDWIDTH = derivation(
    "mesh-device-bandwidth",
    title="Bandwidth of one device to all others of its node, one way",
    unit=BYTE / SECOND,
    letters={"n_node": NODE_DEVICES, "W_p": PAIR_SPEED},
    source=LECTURE_LINKS,
    oracle=add_up_peers,
    convention="Every device has a link of its own to every other. With the lecture's 75 GB/s and four "
    "devices: 225 GB/s one way, 450 GB/s both ways.",
    chain="""
    B_mesh = sum(W_p, (i, 1, n_node - 1))   -- to each of the others
      = (n_node - 1)*W_p                    -- equal links
    """,
)
