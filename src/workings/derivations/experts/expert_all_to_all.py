"""All four all-to-alls of a block with experts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens, one_round, too_many
from workings.derivations.experts._letters import DISPATCH, SPREAD_OUT
from workings.derivations.experts._sources import MEGABLOCKS
from workings.derivations.experts.dispatch_bytes import DISPATCH_BYTES
from workings.simulate.routing import exchange
from workings.units import BYTE


def there_and_back_twice(
    b_m: int, s: int, c: int, t: int, e: int, E: int, k_E: int, D: int, a: Fraction
) -> Fraction | None:
    """Tokens dispatched and combined, then their gradients the same ways backwards."""
    routes = one_round(E, k_E)
    if too_many(len(routes), e, k_E):
        return None
    moved = 0
    for _ in ("tokens", "gradients"):
        run = exchange([routes] * e, E)
        moved += run.dispatched[0] + run.combined[0]
    vector = sum(a for _ in range(D))
    return dealt_tokens(b_m, s, c, t) / len(routes) * moved * vector


EXPERT_ALL_TO_ALL = derivation(
    "expert-all-to-all",
    title="Bytes a rank sends for one block with experts, forward and backward",
    unit=BYTE,
    letters=DISPATCH,
    uses={"V_disp": DISPATCH_BYTES.at()},
    given=(*SPREAD_OUT, "c*t divides s"),
    source=MEGABLOCKS,
    oracle=there_and_back_twice,
    convention="Even routing; gradients as wide as activations; nothing is recomputed.",
    leaves_out="Router weights and indices that travel along, and padding.",
    chain="""
    V_ep = (V_disp + V_disp) + (V_disp + V_disp)  -- dispatch and combine; their gradients go back
      = 4*V_disp                                  -- four all-to-alls a block
      = 4*(e - 1)/e*k_E*b_m*s*D*a/(c*t)           -- put the dispatch in
    """,
)
