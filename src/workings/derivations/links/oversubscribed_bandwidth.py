"""What a device gets beyond an oversubscribed leaf switch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import FAT_TREE
from workings.derivations.links.oversubscription import OVERSUBSCRIPTION
from workings.units import BYTE, SECOND
from workings.vocabulary.links import DOWNLINKS, PORT_SPEED, UPLINKS


def raise_the_rate(n_down: int, n_up: int, W_port: Fraction) -> tuple[Fraction, Fraction]:
    """All devices send at one rate, spread over the uplinks; the highest that fits is searched for."""
    low, high = Fraction(0), 2 * W_port
    for _step in range(30):
        rate = (low + high) / 2
        uplink = sum((rate / n_up for _device in range(n_down)), Fraction(0))
        low, high = (rate, high) if rate <= W_port and uplink <= W_port else (low, rate)
    return low, high


OVERSUBSCRIBED_BANDWIDTH = derivation(
    "oversubscribed-bandwidth",
    title="Bandwidth of a device beyond its leaf switch",
    unit=BYTE / SECOND,
    letters={"n_down": DOWNLINKS, "n_up": UPLINKS, "W_port": PORT_SPEED},
    uses={"r_over": OVERSUBSCRIPTION.at()},
    source=FAT_TREE,
    oracle=raise_the_rate,
    convention="One way, when all devices of the switch send beyond it at once. At 2:1 a port of 50 GB/s "
    "leaves 25 GB/s.",
    chain="""
    B_leaf = min(W_port, n_up*W_port/n_down)   -- its own port, or its share of the uplinks
      = min(1, n_up/n_down)*W_port             -- the port, cut down
      = W_port/max(1, n_down/n_up)             -- by the oversubscription, where it is above 1
      = W_port/max(1, r_over)                  -- by its name
    """,
)
