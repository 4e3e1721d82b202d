"""FLOPs of a training step of a model with latent attention and experts."""

from typing import Any

from workings.derivation import Source, derivation
from workings.derivations.compute._mixtures import GIVEN, LATENT_MODEL, latent_is_long, latent_tape
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.derivations.compute.mla_core_flops_causal import MLA_CORE_FLOPS_CAUSAL
from workings.derivations.compute.mla_projection_flops import MLA_PROJECTION_FLOPS
from workings.derivations.compute.moe_forward_flops import MOE_FORWARD_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def route_the_latent_model_back(**letters: Any) -> int | None:
    """Every product written down, through the latent and through experts, then followed back."""
    if latent_is_long(**letters):
        return None
    tape = latent_tape(**letters)
    return tape.forward() + tape.backward()


MLA_MOE_TRAINING_FLOPS_CAUSAL = derivation(
    "mla-moe-training-flops-causal",
    title="FLOPs of a training step of a model with MLA and experts, causal pairs only",
    unit=FLOP,
    letters=LATENT_MODEL,
    uses={
        "f_mla_proj": MLA_PROJECTION_FLOPS.at(),
        "f_mla": MLA_CORE_FLOPS_CAUSAL.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
        "f_moe": MOE_FORWARD_FLOPS.at(B="b*s"),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    given=GIVEN,
    source=Source(
        "Zhao et al.",
        "Insights into DeepSeek-V3: Scaling Challenges and Reflections on Hardware for AI Architectures",
        2025,
        "section 2.2.1, table 2",
        "https://arxiv.org/abs/2505.09343",
    ),
    oracle=route_the_latent_model_back,
    convention="Causal: pairs of tokens that the mask hides are not computed. `L_E` blocks have "
    "experts, the others a feed-forward of width `F`; no token is dropped and none padded. Of "
    "sequences of 4,096, DeepSeek-V3 takes 250 GFLOP a token.",
    leaves_out="Everything that is no matrix product; multi-token prediction.",
    holds_for={
        WITH_EXPERTS: "model-training-flops-causal",
        LATENT_ATTENTION: "moe-model-training-flops-causal",
    },
    chain="""
    f_mla_moe = 3*(L*(f_mla_proj + f_mla) + (L - L_E)*f_ffn + L_E*f_moe + f_logit)
                                                -- forward once, backward twice that
      = 3*L*(f_mla_proj + f_mla) + 6[FLOP]*b*s*((L - L_E)*n_f*D*F
                     + L_E*(D*E + (k_E + E_s)*n_f*D*F_E) + D*V)
                                                -- 6 FLOPs a weight outside attention that a token meets
    """,
)
