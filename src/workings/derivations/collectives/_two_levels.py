"""The two kinds of links of a group that spans nodes, and how large a group oracles run on them."""

from fractions import Fraction

from workings.simulate.clock import Link

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
