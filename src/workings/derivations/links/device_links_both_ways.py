"""All links of one device, as data sheets add them up."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_NODE_LINKS
from workings.derivations.links.device_links import DEVICE_LINKS_ONE_WAY
from workings.simulate.lanes import seconds_to_send
from workings.units import BYTE, SECOND
from workings.vocabulary.links import DEVICE_LINKS, LINK_SPEED


def send_and_receive(n_l: int, W_l: Fraction) -> Fraction:
    """Bytes put on free links outwards while as many come in; all of them in the time it takes."""
    seconds = {way: seconds_to_send(2 * n_l, n_l, W_l) for way in ("out", "in")}
    return Fraction(2 * n_l * len(seconds)) / max(seconds.values())


DEVICE_LINKS_BOTH_WAYS = derivation(
    "device-links-both-ways",
    title="Bandwidth of all links of a device, both ways",
    unit=BYTE / SECOND,
    letters={"n_l": DEVICE_LINKS, "W_l": LINK_SPEED},
    uses={"B_dev": DEVICE_LINKS_ONE_WAY.at()},
    source=SCALING_BOOK_NODE_LINKS,
    oracle=send_and_receive,
    convention="The figure of data sheets, for one device. H100: 2 × 18 × 25 GB/s = 900 GB/s. A device "
    "can send at half of it only.",
    chain="""
    B_both = B_dev + B_dev      -- what it sends and what it receives
      = 2*n_l*W_l               -- twice the one-way figure
    """,
)
