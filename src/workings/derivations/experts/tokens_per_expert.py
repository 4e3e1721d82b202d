"""The even share of tokens of one expert."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens, one_round, too_many
from workings.derivations.experts._letters import ROUTING, TOKENS
from workings.derivations.experts._sources import SWITCH
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.simulate.routing import exchange
from workings.units import ONE
from workings.vocabulary.layout import EP, ETP


def count_what_experts_receive(
    b_m: int, s: int, c: int, t: int, e: int, t_e: int, E: int, k_E: int
) -> Fraction | None:
    """Tokens routed in turn to experts on ranks, and counted there."""
    routes = one_round(E, k_E)
    if too_many(len(routes), e * t_e, k_E):
        return None
    loads = [0] * E
    for _ in range(t_e):  # ranks of one tensor-parallel group of experts compute on all its tokens
        computed = exchange([routes] * e, E).computed
        loads = [load + more for load, more in zip(loads, computed, strict=True)]
    return dealt_tokens(b_m, s, c, t) * loads[0] / len(routes)


TOKENS_PER_EXPERT = derivation(
    "tokens-per-expert",
    title="Tokens an expert receives, on average",
    unit=ONE,
    noun="tokens",
    fractional="on average over the experts",
    letters={**TOKENS, "e": EP, "t_e": ETP, **ROUTING},
    uses={"T": RANK_TOKENS.at()},
    given=("e divides E", "k_E <= E", "c*t divides s"),
    source=SWITCH,
    oracle=count_what_experts_receive,
    convention="Per micro-batch and block, over the `e*t_e` ranks that share one set of experts.",
    chain="""
    T_E = sum(k_E*T, (i, 1, e*t_e))/E     -- each rank sends each of its tokens to `k_E` experts
      = e*t_e*k_E*T/E                     -- equal terms
      = e*t_e*k_E*b_m*s/(c*t*E)           -- put the tokens in
    """,
)
