"""Time of a two-level all-gather."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, TIMED_NODES, two_links
from workings.derivations.collectives.ring_all_gather_time import RING_ALL_GATHER_TIME
from workings.simulate.hierarchy import all_gather
from workings.units import SECOND


def gather_on_two_levels_by_the_clock(
    N: int,
    S: Fraction,
    n_node: int,
    alpha_1: Fraction,
    W_1: Fraction,
    alpha_2: Fraction,
    W_2: Fraction,
) -> Fraction | None:
    """Shares are gathered between nodes, then inside them, each message timed on its own link."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links(alpha_1, W_1, alpha_2, W_2)
    return all_gather(N, n_node, S, inside, between).finish


HIERARCHICAL_ALL_GATHER_TIME = derivation(
    "hierarchical-all-gather-time",
    title="Time of a hierarchical all-gather",
    unit=SECOND,
    letters=TIMED_NODES,
    uses={
        "T_go": RING_ALL_GATHER_TIME.at(N="N/n_node", S="S/n_node", alpha="alpha_2", W_b="W_2"),
        "T_gi": RING_ALL_GATHER_TIME.at(N="n_node", alpha="alpha_1", W_b="W_1"),
    },
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=gather_on_two_levels_by_the_clock,
    convention="`n_node` ranks of the group share each node, and each has the network bandwidth `W_2` to "
    "itself. Between nodes first, then inside. A reduce-scatter is the same backwards.",
    leaves_out="Phases that overlap on large messages.",
    chain="""
    T_hg = T_go + T_gi            -- each share from the other nodes, then the shares in the node
      = (N/n_node - 1)*(alpha_2 + S/(N*W_2)) + (n_node - 1)*(alpha_1 + S/(n_node*W_1))
                                  -- hops between and inside, with the chunks they move
      >= (1 - n_node/N)*S/(n_node*W_2) + (n_node - 1)/n_node*S/W_1       -- without latencies
    """,
)
