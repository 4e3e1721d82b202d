"""FLOPs of a training step of a whole model with experts that computes only causal pairs."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import GIVEN, MOE_MODEL, grouped_tape
from workings.derivations.compute._sources import SCALING_BOOK_MOE
from workings.derivations.compute.attention_core_flops_causal import ATTENTION_CORE_FLOPS_CAUSAL
from workings.derivations.compute.attention_projection_flops import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.derivations.compute.moe_forward_flops import MOE_FORWARD_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def route_the_causal_model_back(**letters: Any) -> int | None:
    """Every product written down, one row of scores a query and tokens dealt, then followed back."""
    if (
        letters["L"] * letters["b"] * (letters["H"] * letters["s"] + letters["E"] + letters["E_s"])
        > 1_500
    ):
        return None
    tape = grouped_tape(causal=True, **letters)
    return tape.forward() + tape.backward()


MOE_MODEL_TRAINING_FLOPS_CAUSAL = derivation(
    "moe-model-training-flops-causal",
    title="FLOPs of a training step of a model with experts, causal pairs only",
    unit=FLOP,
    letters=MOE_MODEL,
    uses={
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(),
        "f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
        "f_moe": MOE_FORWARD_FLOPS.at(B="b*s"),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    given=GIVEN,
    source=SCALING_BOOK_MOE,
    oracle=route_the_causal_model_back,
    convention="Causal: pairs of tokens that the mask hides are not computed. `L_E` blocks have "
    "experts, the others a feed-forward of width `F`; no token is dropped and none padded. "
    "Megatron-LM counts the same but for the router, which it leaves out.",
    leaves_out="Everything that is no matrix product.",
    holds_for={
        WITH_EXPERTS: "model-training-flops-causal",
        WITHOUT_LATENT: "mla-moe-training-flops-causal",
    },
    chain="""
    f_moe_causal = 3*(L*(f_proj + f_causal) + (L - L_E)*f_ffn + L_E*f_moe + f_logit)
                                                -- forward once, backward twice that
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + (s + 1)*H*d_h) + (L - L_E)*n_f*D*F
                     + L_E*(D*E + (k_E + E_s)*n_f*D*F_E) + D*V)
                                                -- `s + 1` where full attention has `2*s`
    """,
)
