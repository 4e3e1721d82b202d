"""What a node can send to other nodes."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_FABRIC
from workings.simulate.lanes import seconds_to_send
from workings.units import BYTE, SECOND
from workings.vocabulary.links import PORT_SPEED, PORTS


def send_over_free_ports(n_port: int, W_port: Fraction) -> Fraction:
    """Bytes put one after another on whichever port is free; so many of them in the time it takes."""
    return 3 * n_port / seconds_to_send(3 * n_port, n_port, W_port)


NODE_EGRESS = derivation(
    "node-egress",
    title="Bandwidth out of a node",
    unit=BYTE / SECOND,
    letters={"n_port": PORTS, "W_port": PORT_SPEED},
    source=SCALING_BOOK_FABRIC,
    oracle=send_over_free_ports,
    convention="One way. DGX H100: 8 × 50 GB/s = 400 GB/s.",
    chain="""
    B_out = sum(W_port, (i, 1, n_port))   -- port by port
      = n_port*W_port                     -- equal ports
    """,
)
