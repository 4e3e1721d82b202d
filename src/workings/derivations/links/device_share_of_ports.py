"""What a device gets of the ports of its node."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_FABRIC
from workings.derivations.links.node_egress import NODE_EGRESS
from workings.units import BYTE, SECOND
from workings.vocabulary.layout import NODE_DEVICES
from workings.vocabulary.links import PORT_SPEED, PORTS


def take_turns_at_ports(n_port: int, W_port: Fraction, n_node: int) -> Fraction:
    """Every device sends a byte in turn over every port; bytes of one device over the time it takes."""
    busy, sent = [Fraction(0)] * n_port, [0] * n_node
    for device in range(n_node):
        for port in range(n_port):
            busy[port] += 1 / W_port
            sent[device] += 1
    return sent[0] / max(busy)


DEVICE_SHARE_OF_PORTS = derivation(
    "device-share-of-ports",
    title="Network bandwidth of one device of a node",
    unit=BYTE / SECOND,
    letters={"n_port": PORTS, "W_port": PORT_SPEED, "n_node": NODE_DEVICES},
    uses={"B_out": NODE_EGRESS.at()},
    source=SCALING_BOOK_FABRIC,
    oracle=take_turns_at_ports,
    convention="One way, when all devices send at once. DGX H100: 8 × 50/8 = 50 GB/s; a host of eight "
    "TPU v5e with two 100 Gb/s ports: 2 × 12.5/8 = 3.125 GB/s.",
    chain="""
    B_share = B_out/n_node            -- the node's ports, shared evenly
      = n_port/n_node*W_port          -- a port of its own where there are as many as devices
    """,
)
