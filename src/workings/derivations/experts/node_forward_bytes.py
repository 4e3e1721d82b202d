"""Bytes inside a node when tokens are forwarded to their experts there."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens, one_round
from workings.derivations.experts._letters import TOKENS, VECTOR
from workings.derivations.experts._sources import DEEPSEEK_ALL_TO_ALL
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.simulate.routing import dispatch_by_node
from workings.units import BYTE
from workings.vocabulary.layout import EP, NODE_DEVICES
from workings.vocabulary.model import ACTIVE_EXPERTS


def forward_in_every_node(
    b_m: int, s: int, c: int, t: int, e: int, k_E: int, D: int, a: Fraction, n_node: int
) -> Fraction | None:
    """One expert a rank; tokens enter each node once and are handed on there, really counted."""
    if e * e * k_E > 20_000:
        return None
    routes = one_round(e, k_E)
    forwarded = dispatch_by_node([routes] * e, e, n_node).link
    each = Fraction(sum(forwarded), e)
    vector = sum((a for _ in range(D)), Fraction(0))
    return dealt_tokens(b_m, s, c, t) / len(routes) * each * vector


NODE_FORWARD_BYTES = derivation(
    "node-forward-bytes",
    title="Bytes a rank forwards inside its node to dispatch tokens that reached it",
    unit=BYTE,
    letters={**TOKENS, "e": EP, "k_E": ACTIVE_EXPERTS, **VECTOR, "n_node": NODE_DEVICES},
    uses={"T": RANK_TOKENS.at()},
    given=("n_node divides e", "k_E <= e"),
    source=DEEPSEEK_ALL_TO_ALL,
    oracle=forward_in_every_node,
    convention="Even routing; one copy for each expert, and a token enters a node at the rank of the "
    "same place.",
    chain="""
    V_fwd = sum(T*D*a, (i, 1, k_E)) - sum(T*D*a, (i, 1, k_E))/n_node
                                     -- a copy for each expert, but one in `n_node` has arrived
      = k_E*T*D*a - k_E*T*D*a/n_node           -- equal terms
      = (n_node - 1)/n_node*k_E*T*D*a          -- collect
    """,
)
