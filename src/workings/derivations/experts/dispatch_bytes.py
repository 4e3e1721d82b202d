"""Bytes a rank sends to experts elsewhere."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens, one_round, too_many
from workings.derivations.experts._letters import DISPATCH, SPREAD_OUT
from workings.derivations.experts._sources import MEGABLOCKS
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.simulate.routing import exchange
from workings.units import BYTE


def route_and_count(
    b_m: int, s: int, c: int, t: int, e: int, E: int, k_E: int, D: int, a: Fraction
) -> Fraction | None:
    """Tokens really routed in turn to experts on `e` ranks; the vectors that leave a rank."""
    routes = one_round(E, k_E)
    if too_many(len(routes), e, k_E):
        return None
    vectors = exchange([routes] * e, E).dispatched[0]
    vector = sum(a for _ in range(D))
    return dealt_tokens(b_m, s, c, t) / len(routes) * vectors * vector


DISPATCH_BYTES = derivation(
    "dispatch-bytes",
    title="Bytes a rank sends to dispatch its tokens to experts",
    unit=BYTE,
    letters=DISPATCH,
    uses={"T": RANK_TOKENS.at()},
    given=SPREAD_OUT,
    source=MEGABLOCKS,
    oracle=route_and_count,
    convention="Even routing; one copy of a token for each of its experts. Combining sends the same.",
    leaves_out="Router weights and indices that travel along, and padding.",
    chain="""
    V_disp = sum(T*D*a, (i, 1, k_E)) - sum(T*D*a, (i, 1, k_E))/e
                                     -- `k_E` copies, but one in `e` finds its expert at home
      = k_E*T*D*a - k_E*T*D*a/e      -- equal terms
      = (e - 1)/e*k_E*T*D*a          -- collect
      <= k_E*T*D*a                   -- `e - 1 < e`: hardly falls with more ranks
    """,
)
