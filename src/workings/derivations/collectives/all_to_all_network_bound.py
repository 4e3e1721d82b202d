"""The number of ranks from which the network bounds an all-to-all."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, NODES, two_links
from workings.derivations.collectives.all_to_all_between import ALL_TO_ALL_BETWEEN
from workings.derivations.collectives.all_to_all_inside import ALL_TO_ALL_INSIDE
from workings.simulate.exchange import all_to_all_in_nodes
from workings.units import ONE


def compare_busy_links(N: int, S: Fraction, n_node: int, W_1: Fraction, W_2: Fraction) -> bool | None:
    """Bytes are added up by the link they take; the busier of node and network is found."""
    if N > MOST_RANKS:
        return None
    clock = all_to_all_in_nodes(N, n_node, S, *two_links())
    return clock.sent(0, "between") / W_2 > clock.sent(0, "inside") / W_1


ALL_TO_ALL_NETWORK_BOUND = derivation(
    "all-to-all-network-bound",
    title="Ranks from which the network bounds an all-to-all",
    unit=ONE,
    noun="devices",
    letters=NODES,
    uses={"V_in": ALL_TO_ALL_INSIDE.at(), "V_out": ALL_TO_ALL_BETWEEN.at()},
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=compare_busy_links,
    convention="Links inside the node and the network work at the same time.",
    leaves_out="Start-up latency.",
    chain="""
    V_out/W_2 > V_in/W_1                                           -- the network is busy longer
      <=> (N - n_node)/N*S/W_2 > (n_node - 1)/N*S/W_1              -- put the bytes in
      <=> N > n_node + (n_node - 1)*W_2/W_1                        -- solve for the ranks
    """,
)
