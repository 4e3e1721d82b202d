"""Time of the experts' matmuls where the load is uneven."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens, one_round, too_many
from workings.derivations.experts._letters import EXPERT, ROUTING, SPREAD_OUT, TOKENS
from workings.derivations.experts._matmuls import token_flops
from workings.derivations.experts._sources import SCALING_BOOK_EXPERTS
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.simulate.routing import exchange
from workings.units import SECOND
from workings.vocabulary.experts import IMBALANCE
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import EP


def compute_on_the_busiest_rank(
    b_m: int, s: int, c: int, t: int, e: int, E: int, k_E: int,
    D: int, F_E: int, n_f: int, C: Fraction, **busiest: Fraction,
) -> Fraction | None:  # fmt: skip
    """A round of tokens exchanged; the mean rank's matmuls walked through, then the busiest's."""
    routes = one_round(E, k_E)
    if too_many(len(routes), e, k_E):
        return None
    computed = exchange([routes] * e, E).computed
    mean = Fraction(sum(computed), e) * dealt_tokens(b_m, s, c, t) / len(routes)
    return busiest["lambda"] * mean * token_flops(n_f, D, F_E) / C


EXPERT_TIME = derivation(
    "expert-time",
    title="Time of the experts' matmuls on the busiest rank, forward",
    unit=SECOND,
    letters={**TOKENS, "e": EP, **ROUTING, **EXPERT, "C": COMPUTE, "lambda": IMBALANCE},
    uses={"T": RANK_TOKENS.at()},
    given=(*SPREAD_OUT, "lambda >= 1", "c*t divides s"),
    source=SCALING_BOOK_EXPERTS,
    oracle=compute_on_the_busiest_rank,
    convention="All ranks wait for the busiest; `lambda` is its tokens over the mean. Backward takes "
    "twice as long.",
    leaves_out="Shared experts, the router, and the activation function between the matmuls.",
    chain="""
    T_x = lambda*sum(k_E*T/e, (i, 1, e))*(2[FLOP]*n_f*D*F_E)/C
                                     -- copies from all `e` ranks, `n_f` matmuls of `D*F_E` each
      = lambda*k_E*T*(2[FLOP]*n_f*D*F_E)/C               -- the mean rank gets as many as it sends
      = lambda*(2[FLOP]*k_E*n_f*D*F_E*b_m*s)/(c*t*C)     -- put the tokens in
    """,
)
