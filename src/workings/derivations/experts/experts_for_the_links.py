"""Experts a token can have before the links inside nodes take longer than the network."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._letters import TOKENS, VECTOR
from workings.derivations.experts._sources import DEEPSEEK_ALL_TO_ALL
from workings.derivations.experts.node_forward_bytes import NODE_FORWARD_BYTES, forward_in_every_node
from workings.derivations.experts.node_limited_dispatch import NODE_LIMITED_DISPATCH, visit_nodes_in_turn
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.units import ONE
from workings.vocabulary.experts import NODE_LIMIT
from workings.vocabulary.hardware import LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.layout import EP, NODE_DEVICES
from workings.vocabulary.model import ACTIVE_EXPERTS


def race_both_links(
    b_m: int, s: int, c: int, t: int, e: int, k_E: int, D: int, a: Fraction, M: int, n_node: int,
    W_1: Fraction, W_2: Fraction,
) -> bool | None:  # fmt: skip
    """The counted bytes between nodes and inside them, each over its link's speed."""
    inside = forward_in_every_node(b_m, s, c, t, e, k_E, D, a, n_node)
    between = visit_nodes_in_turn(b_m, s, c, t, e, D, a, M, n_node)
    if inside is None or between is None:
        return None
    return inside / W_1 <= between / W_2


EXPERTS_FOR_THE_LINKS = derivation(
    "experts-for-the-links",
    title="Experts a token can have before forwarding takes longer than the network",
    unit=ONE,
    noun="experts",
    letters={
        **TOKENS,
        "e": EP,
        "k_E": ACTIVE_EXPERTS,
        **VECTOR,
        "M": NODE_LIMIT,
        "n_node": NODE_DEVICES,
        "W_1": LINK_ONE_WAY,
        "W_2": NETWORK_ONE_WAY,
    },
    uses={
        "T": RANK_TOKENS.at(),
        "V_fwd": NODE_FORWARD_BYTES.at(),
        "V_net": NODE_LIMITED_DISPATCH.at(),
    },
    given=("n_node divides e", "n_node > 1", "M <= e/n_node", "k_E <= e"),
    source=DEEPSEEK_ALL_TO_ALL,
    oracle=race_both_links,
    convention="Both overlap; even routing.",
    leaves_out="Start-up latency.",
    chain="""
    V_fwd/W_1 <= V_net/W_2                       -- forwarding inside nodes hides behind the network
      <=> (n_node - 1)/n_node*k_E*T*D*a/W_1 <= (e - n_node)/e*M*T*D*a/W_2      -- put both in
      <=> k_E <= M*(W_1/W_2)*((e - n_node)/e)*(n_node/(n_node - 1))            -- solve for the experts
    """,
)
