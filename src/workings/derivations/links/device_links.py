"""All links of one device, one way."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_NODE_LINKS
from workings.units import BYTE, SECOND
from workings.vocabulary.links import DEVICE_LINKS, LINK_SPEED


def add_up_links(n_l: int, W_l: Fraction) -> Fraction:
    """Links are added up one by one."""
    total = Fraction(0)
    for _link in range(n_l):
        total += W_l
    return total


DEVICE_LINKS_ONE_WAY = derivation(
    "device-links",
    title="Bandwidth of all links of a device, one way",
    unit=BYTE / SECOND,
    letters={"n_l": DEVICE_LINKS, "W_l": LINK_SPEED},
    source=SCALING_BOOK_NODE_LINKS,
    oracle=add_up_links,
    convention="One way: what a device can send while it receives as much. H100: 18 × 25 GB/s = 450 "
    "GB/s.",
    chain="""
    B_dev = sum(W_l, (i, 1, n_l))   -- link by link
      = n_l*W_l                     -- equal links
    """,
)
