"""Forward FLOPs of a token in a block with experts."""

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.experts._letters import EXPERT, ROUTING
from workings.derivations.experts._matmuls import token_flops
from workings.derivations.experts._sources import DEEPSEEK_MOE
from workings.simulate.routing import even_routes
from workings.units import FLOP
from workings.vocabulary.model import SHARED_EXPERTS


def follow_one_token(D: int, F_E: int, n_f: int, E: int, k_E: int, E_s: int) -> int:
    """The token meets the router, then the experts on its route, then every shared one."""
    flops = sum(1 + 1 for _ in range(E) for _ in range(D))
    (route,) = even_routes(1, E, k_E)
    return flops + sum(token_flops(n_f, D, F_E) for _ in [*route, *range(E_s)])


MOE_TOKEN_FLOPS = derivation(
    "moe-token-flops",
    title="Forward FLOPs of one token in a feed-forward with experts",
    unit=FLOP,
    letters={**EXPERT, **ROUTING, "E_s": SHARED_EXPERTS},
    given=("k_E <= E",),
    source=DEEPSEEK_MOE,
    oracle=follow_one_token,
    convention="A multiply-add is 2 FLOPs; shared experts are as wide as routed ones.",
    leaves_out="Activation functions, softmax or sigmoid of the router, and weighting the outputs.",
    ledger=(
        Row("routed experts", "k_E*(2[FLOP]*n_f*D*F_E)", "`n_f` matmuls in each of `k_E` experts"),
        Row("shared experts", "E_s*(2[FLOP]*n_f*D*F_E)", "every token goes to all of them"),
        Row("router", "2[FLOP]*D*E", "a score for every expert, taken or not"),
    ),
    chain="""
    X_moe = rows                                            -- add the rows
      = 2[FLOP]*(k_E + E_s)*n_f*D*F_E + 2[FLOP]*D*E         -- experts that a token meets, and router
    """,
)
