"""Time of a two-level all-reduce."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, TIMED_NODES, two_links
from workings.derivations.collectives.ring_all_gather_time import RING_ALL_GATHER_TIME
from workings.derivations.collectives.ring_all_reduce_time import RING_ALL_REDUCE_TIME
from workings.derivations.collectives.ring_reduce_scatter_time import RING_REDUCE_SCATTER_TIME
from workings.simulate.hierarchy import all_reduce
from workings.units import SECOND


def reduce_on_two_levels_by_the_clock(
    N: int,
    S: Fraction,
    n_node: int,
    alpha_1: Fraction,
    W_1: Fraction,
    alpha_2: Fraction,
    W_2: Fraction,
) -> Fraction | None:
    """Sums are made in nodes, between nodes and handed out, each message timed on its own link."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links(alpha_1, W_1, alpha_2, W_2)
    return all_reduce(N, n_node, S, inside, between).finish


HIERARCHICAL_ALL_REDUCE_TIME = derivation(
    "hierarchical-all-reduce-time",
    title="Time of a hierarchical all-reduce",
    unit=SECOND,
    letters=TIMED_NODES,
    uses={
        "T_RS": RING_REDUCE_SCATTER_TIME.at(N="n_node", alpha="alpha_1", W_b="W_1"),
        "T_AR": RING_ALL_REDUCE_TIME.at(N="N/n_node", S="S/n_node", alpha="alpha_2", W_b="W_2"),
        "T_AG": RING_ALL_GATHER_TIME.at(N="n_node", alpha="alpha_1", W_b="W_1"),
    },
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=reduce_on_two_levels_by_the_clock,
    convention="`n_node` ranks of the group share each node, and each has the network bandwidth `W_2` to "
    "itself. The phases follow one another.",
    leaves_out="The additions, and phases that overlap on large messages.",
    chain="""
    T_hier = T_RS + T_AR + T_AG         -- in the node, between nodes on `S/n_node`, in the node
      = 2*(n_node - 1)*(alpha_1 + S/(n_node*W_1)) + 2*(N/n_node - 1)*(alpha_2 + S/(N*W_2))
                                        -- hops inside and between, with the chunks they move
      >= 2*(n_node - 1)/n_node*S/W_1 + 2*(1 - n_node/N)*S/(n_node*W_2)      -- without latencies
    """,
)
