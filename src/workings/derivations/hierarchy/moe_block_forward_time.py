"""Forward time of a block with experts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.loads import RANK_TOKENS
from workings.derivations.experts.shares import MOE_TOKEN_FLOPS
from workings.derivations.hierarchy._expert_work import expert_block
from workings.derivations.hierarchy._letters import EXPERTS_TIMED, PEAK
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.derivations.hierarchy._work import duration
from workings.units import SECOND
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def run_one_block_with_experts(
    b_m: int, s: int, c: int, t: int, D: int, H: int, K: int, d_h: int,
    n_f: int, F_E: int, E: int, k_E: int, E_s: int, C: Fraction,
) -> Fraction:  # fmt: skip
    """The matmuls a micro-batch meets listed with their shapes, shared by `c*t` ranks."""
    return duration(expert_block(b_m, s, c, t, D, H, K, d_h, n_f, F_E, E, k_E, E_s, C))


MOE_BLOCK_FORWARD_TIME = derivation(
    "moe-block-forward-time",
    title="Forward time of a block with experts for one micro-batch",
    unit=SECOND,
    letters=EXPERTS_TIMED,
    uses={"T": RANK_TOKENS.at(), "X_moe": MOE_TOKEN_FLOPS.at()},
    given=("k_E <= E",),
    source=DEEPSEEK_OVERLAP,
    oracle=run_one_block_with_experts,
    convention=f"Even load, full attention with `K` key and value heads. {PEAK}",
    leaves_out="Everything but matmuls; a compressed key and value (MLA) has other matmuls.",
    holds_for={WITH_EXPERTS: "block-forward-time", WITHOUT_LATENT: ""},
    chain="""
    T_m = T*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h)/C + T*X_moe/C
                                       -- attention's weights and scores, then router and experts
      = T*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + X_moe)/C      -- one after the other
    """,
)
