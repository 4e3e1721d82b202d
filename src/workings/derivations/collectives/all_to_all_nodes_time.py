"""Time of an all-to-all over two kinds of links at once."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, NODES, two_links
from workings.derivations.collectives.all_to_all_between import ALL_TO_ALL_BETWEEN
from workings.derivations.collectives.all_to_all_inside import ALL_TO_ALL_INSIDE
from workings.simulate.exchange import all_to_all_in_nodes
from workings.units import SECOND


def send_over_both_kinds_of_links(
    N: int, S: Fraction, n_node: int, W_1: Fraction, W_2: Fraction
) -> Fraction | None:
    """Bytes of every part are added up by the link they take; the link that is busy longer counts."""
    if N > MOST_RANKS:
        return None
    inside, between = two_links()
    clock = all_to_all_in_nodes(N, n_node, S, inside, between)
    return max(clock.sent(0, "inside") / W_1, clock.sent(0, "between") / W_2)


ALL_TO_ALL_NODES_TIME = derivation(
    "all-to-all-nodes-time",
    title="Time of an all-to-all over several nodes",
    unit=SECOND,
    letters=NODES,
    uses={"V_in": ALL_TO_ALL_INSIDE.at(), "V_out": ALL_TO_ALL_BETWEEN.at()},
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=send_over_both_kinds_of_links,
    convention="`S` is what one rank starts with. Links inside the node and the network work at the same "
    "time, and each rank has the network bandwidth `W_2` to itself.",
    leaves_out="Start-up latency.",
    chain="""
    T_nodes = max(V_in/W_1, V_out/W_2)                                 -- the slower of the two counts
      = max((n_node - 1)/N*S/W_1, (N - n_node)/N*S/W_2)                -- put the bytes in
      = max((n_node - 1)/W_1, (N - n_node)/W_2)*S/N                    -- a part is `S/N` bytes
    """,
)
