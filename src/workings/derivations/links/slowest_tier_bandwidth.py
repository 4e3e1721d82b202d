"""The bandwidth of a group is that of the slowest links it crosses."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.links._sources import SCALING_BOOK_TIERS
from workings.simulate.clock import Link
from workings.simulate.hierarchy import flat_all_gather
from workings.units import BYTE, SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.layout import NODE_DEVICES


def time_a_ring_through_nodes(
    N: int, S: Fraction, n_node: int, W_1: Fraction, W_2: Fraction
) -> Fraction | None:
    """Chunks go round through all nodes by the clock; bytes a rank sent over the time it took."""
    if N > 80:
        return None
    clock = flat_all_gather(N, n_node, S, Link(0, W_1, "inside"), Link(0, W_2, "between"))
    return (clock.sent(0, "inside") + clock.sent(0, "between")) / clock.finish


SLOWEST_TIER_BANDWIDTH = derivation(
    "slowest-tier-bandwidth",
    title="Bandwidth of a group that crosses nodes",
    unit=BYTE / SECOND,
    letters={
        "N": GROUP,
        "S": MESSAGE,
        "n_node": NODE_DEVICES,
        "W_1": LINK_ONE_WAY,
        "W_2": NETWORK_ONE_WAY,
    },
    given=("n_node divides N", "n_node >= 2", "N > n_node"),
    source=SCALING_BOOK_TIERS,
    oracle=time_a_ring_through_nodes,
    convention="A rank's bus bandwidth, one way, on one flat ring. A group inside one node has `W_1`.",
    leaves_out="Latency, and hierarchical collectives, which send less between nodes.",
    chain="""
    B_group = (N - 1)*(S/N)/((N - 1)*max(S/(N*W_1), S/(N*W_2)))   -- bytes over time
      = S/N/max(S/(N*W_1), S/(N*W_2))                             -- the same in every round
      = min(W_1, W_2)                                             -- the slowest link counts
    """,
)
