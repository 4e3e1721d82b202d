"""How wide experts must be for their compute to hide the all-to-alls."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens, one_round, too_many
from workings.derivations.experts._letters import DISPATCH, SPREAD_OUT
from workings.derivations.experts._matmuls import expert_weights
from workings.derivations.experts._sources import SCALING_BOOK_EXPERTS
from workings.derivations.experts.dispatch_bytes import DISPATCH_BYTES
from workings.derivations.experts.rank_tokens import RANK_TOKENS
from workings.simulate.routing import exchange
from workings.units import ONE
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE
from workings.vocabulary.model import D_EXPERT, FFN_MATRICES


def race_a_round(
    b_m: int, s: int, c: int, t: int, e: int, E: int, k_E: int, D: int, a: Fraction,
    F_E: int, n_f: int, C: Fraction, W_b: Fraction,
) -> bool | None:  # fmt: skip
    """Tokens really exchanged there and back; the bytes' time against that of the experts' matmuls."""
    routes = one_round(E, k_E)
    if too_many(len(routes), e, k_E):
        return None
    run = exchange([routes] * e, E)
    tokens = dealt_tokens(b_m, s, c, t) / len(routes)
    sent = (run.dispatched[0] + run.combined[0]) * tokens * D * a
    weights = sum(weight.elements for weight in expert_weights(n_f, D, F_E))
    flops = (weights + weights) * Fraction(sum(run.computed), e) * tokens
    return flops / C >= sent / W_b


EXPERT_WIDTH_TO_HIDE = derivation(
    "expert-width-to-hide",
    title="Width of an expert from which its matmuls can hide both all-to-alls",
    unit=ONE,
    noun="values",
    letters={**DISPATCH, "F_E": D_EXPERT, "n_f": FFN_MATRICES, "C": COMPUTE, "W_b": BANDWIDTH},
    uses={"T": RANK_TOKENS.at(), "V_disp": DISPATCH_BYTES.at()},
    given=SPREAD_OUT,
    source=SCALING_BOOK_EXPERTS,
    oracle=race_a_round,
    convention="Forward (backward doubles compute but not bytes); even load; `W_b` is the link that the "
    "group crosses.",
    leaves_out="Attention and shared experts, which can hide some too; start-up latency.",
    chain="""
    2[FLOP]*k_E*T*n_f*D*F_E/C >= 2*V_disp/W_b           -- the experts' matmuls, dispatch and combine
      <=> 2[FLOP]*k_E*T*n_f*D*F_E/C >= 2*(e - 1)/e*k_E*T*D*a/W_b      -- put the dispatch in
      <=> F_E >= (e - 1)/e*2*a*C/(2[FLOP]*n_f*W_b)      -- tokens, experts a token and width cancel
    """,
)
