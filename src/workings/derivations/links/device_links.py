"""All links of one device, one way."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_NODE_LINKS
from workings.simulate.lanes import seconds_to_send
from workings.units import BYTE, SECOND
from workings.vocabulary.links import DEVICE_LINKS, LINK_SPEED


def send_over_free_links(n_l: int, W_l: Fraction) -> Fraction:
    """Bytes put one after another on whichever link is free; so many of them in the time it takes."""
    return 3 * n_l / seconds_to_send(3 * n_l, n_l, W_l)


DEVICE_LINKS_ONE_WAY = derivation(
    "device-links",
    title="Bandwidth of all links of a device, one way",
    unit=BYTE / SECOND,
    letters={"n_l": DEVICE_LINKS, "W_l": LINK_SPEED},
    source=SCALING_BOOK_NODE_LINKS,
    oracle=send_over_free_links,
    convention="One way: what a device can send while it receives as much. H100: 18 × 25 GB/s = 450 "
    "GB/s.",
    chain="""
    B_dev = sum(W_l, (i, 1, n_l))   -- link by link
      = n_l*W_l                     -- equal links
    """,
)
