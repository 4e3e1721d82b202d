"""What two-level collectives share: their letters, the two kinds of links, and how far oracles run."""

from fractions import Fraction

from workings.simulate.clock import Link
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import LINK_LATENCY, LINK_ONE_WAY, NETWORK_LATENCY, NETWORK_ONE_WAY
from workings.vocabulary.layout import NODE_DEVICES

TIMED_NODES = {
    "N": GROUP, "S": MESSAGE, "n_node": NODE_DEVICES, "alpha_1": LINK_LATENCY, "W_1": LINK_ONE_WAY,
    "alpha_2": NETWORK_LATENCY, "W_2": NETWORK_ONE_WAY,
}  # fmt: skip


MOST_RANKS = 48
"""Groups beyond this size take too long to run through here; smaller ones tell all mistakes."""


def two_links(
    alpha_1: Fraction | int = 0,
    W_1: Fraction | int = 1,
    alpha_2: Fraction | int = 0,
    W_2: Fraction | int = 1,
) -> tuple[Link, Link]:
    """The link inside a node and the link between nodes; by default only bytes are of interest."""
    return Link(alpha_1, W_1, "inside"), Link(alpha_2, W_2, "between")
