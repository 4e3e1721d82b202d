"""FLOPs of a dense model's training step that computes only what the causal mask lets through."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import KAPLAN_COMPUTE
from workings.derivations.compute.attention_core_flops_causal import ATTENTION_CORE_FLOPS_CAUSAL
from workings.derivations.compute.attention_projection_flops import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.ffn_flops import FFN_FLOPS
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS


def follow_the_causal_tape_back(**letters: Any) -> int | None:
    """Every product written down, one row of scores a query, then followed back, and counted."""
    if letters["L"] * letters["b"] * letters["H"] * letters["s"] > 1_500:
        return None
    tape = model_tape(**letters, causal=True)
    return tape.forward() + tape.backward()


MODEL_TRAINING_FLOPS_CAUSAL = derivation(
    "model-training-flops-causal",
    title="FLOPs of a dense model's training step, causal pairs only",
    unit=FLOP,
    letters=MODEL,
    uses={
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(),
        "f_causal": ATTENTION_CORE_FLOPS_CAUSAL.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
        "f_logit": LOGITS_FLOPS.at(B="b*s"),
    },
    source=KAPLAN_COMPUTE,
    oracle=follow_the_causal_tape_back,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Everything that is no matrix product.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "moe-model-training-flops-causal"},
    chain="""
    f_train_c = 3*(L*(f_proj + f_causal + f_ffn) + f_logit)   -- forward once, backward twice that
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h) + D*V)
                                             -- `s + 1` where full attention has `2*s`
    """,
)
