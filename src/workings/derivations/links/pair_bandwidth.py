"""Links of a device shared out over its peers."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_NODE_LINKS
from workings.derivations.links.device_links import DEVICE_LINKS_ONE_WAY
from workings.units import BYTE, SECOND
from workings.vocabulary.links import DEVICE_LINKS, LINK_SPEED, PEERS


def deal_links_to_peers(n_l: int, W_l: Fraction, n_peer: int) -> Fraction:
    """Links are dealt to the peers in turn; what leads to the first one is added up."""
    towards = [Fraction(0)] * n_peer
    for link in range(n_l):
        towards[link % n_peer] += W_l
    return towards[0]


PAIR_BANDWIDTH = derivation(
    "pair-bandwidth",
    title="Bandwidth between two devices wired without a switch, one way",
    unit=BYTE / SECOND,
    letters={"n_l": DEVICE_LINKS, "W_l": LINK_SPEED, "n_peer": PEERS},
    uses={"B_dev": DEVICE_LINKS_ONE_WAY.at()},
    given=("n_peer divides n_l",),
    source=SCALING_BOOK_NODE_LINKS,
    oracle=deal_links_to_peers,
    convention="Links are shared evenly over the peers. H100 in a node of four: 18/3 × 25 GB/s = 150 "
    "GB/s. Through a switch any two devices have all of `n_l*W_l`.",
    chain="""
    B_pair = B_dev/n_peer       -- an even share of the device's links
      = n_l/n_peer*W_l          -- so many links, each one way
    """,
)
