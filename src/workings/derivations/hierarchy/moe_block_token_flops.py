"""Forward FLOPs of a block with experts for each token."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.shares import MOE_TOKEN_FLOPS
from workings.derivations.hierarchy._expert_work import expert_block
from workings.derivations.hierarchy._letters import EXPERTS_TIMED
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.derivations.hierarchy._work import duration
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def share_a_sequence_with_experts(
    s: int, D: int, H: int, K: int, d_h: int, n_f: int, F_E: int, E: int, k_E: int, E_s: int
) -> Fraction:
    """The matmuls of one sequence listed with their shapes, those of every expert on its way too."""
    whole = duration(expert_block(1, s, 1, 1, D, H, K, d_h, n_f, F_E, E, k_E, E_s, Fraction(1)))
    return whole / s


_NOT_HERE = ("b_m", "c", "t", "C")

MOE_BLOCK_TOKEN_FLOPS = derivation(
    "moe-block-token-flops",
    title="Forward FLOPs of a block with experts for each token",
    unit=FLOP,
    letters={name: concept for name, concept in EXPERTS_TIMED.items() if name not in _NOT_HERE},
    uses={"X_moe": MOE_TOKEN_FLOPS.at()},
    given=("k_E <= E",),
    source=DEEPSEEK_OVERLAP,
    oracle=share_a_sequence_with_experts,
    convention="Full attention: every token meets all `s` keys; causal kernels do about half of that.",
    leaves_out="Softmax, norms and activation functions.",
    holds_for={WITH_EXPERTS: "block-token-flops", WITHOUT_LATENT: ""},
    chain="""
    X_m = 4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + X_moe
                                       -- attention's weights and scores, then router and experts
    """,
)
