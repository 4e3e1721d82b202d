"""A ring that runs through several nodes."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._two_levels import TIMED_NODES, two_links
from workings.derivations.links._sources import SCALING_BOOK_TIERS
from workings.simulate.hierarchy import flat_all_gather
from workings.units import SECOND


def pass_chunks_through_nodes(
    N: int,
    S: Fraction,
    n_node: int,
    alpha_1: Fraction,
    W_1: Fraction,
    alpha_2: Fraction,
    W_2: Fraction,
) -> Fraction | None:
    """Chunks go round through all nodes; each hop is timed on the link it takes, and none is in step."""
    if N > 80:
        return None
    inside, between = two_links(alpha_1, W_1, alpha_2, W_2)
    return flat_all_gather(N, n_node, S, inside, between).finish


RING_ACROSS_NODES_TIME = derivation(
    "ring-across-nodes-time",
    title="Time of a ring all-gather that runs through several nodes",
    unit=SECOND,
    letters=TIMED_NODES,
    given=("n_node divides N", "n_node >= 2", "N > n_node"),
    source=SCALING_BOOK_TIERS,
    oracle=pass_chunks_through_nodes,
    convention="`n_node` ranks of the group share each node, so that the ring has hops inside nodes and "
    "between them. `S` is the whole gathered message.",
    chain="""
    T_flat = sum(max(alpha_1 + S/(N*W_1), alpha_2 + S/(N*W_2)), (i, 1, N - 1))
                                                  -- each round waits for its slowest hop
      = (N - 1)*max(alpha_1 + S/(N*W_1), alpha_2 + S/(N*W_2))     -- equal rounds
    """,
)
