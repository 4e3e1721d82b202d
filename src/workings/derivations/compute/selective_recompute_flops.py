"""FLOPs of a training step with attention's core recomputed."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.attention_core_flops import ATTENTION_CORE_FLOPS
from workings.derivations.compute.model_training_flops import MODEL_TRAINING_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def run_the_core_twice(**letters: Any) -> int:
    """Every product counted forward, scores and values forward again, and all back."""
    tape = model_tape(**letters)
    return tape.forward() + tape.forward("core") + tape.backward()


SELECTIVE_RECOMPUTE_FLOPS = derivation(
    "selective-recompute-flops",
    title="FLOPs of a training step, attention's core recomputed (hardware FLOPs)",
    unit=FLOP,
    letters=MODEL,
    uses={"f_train": MODEL_TRAINING_FLOPS.at(), "f_core": ATTENTION_CORE_FLOPS.at()},
    source=RECOMPUTATION,
    oracle=run_the_core_twice,
    convention="Scores and weighted values are run forward again, once; what FlashAttention redoes "
    "backward (the scores alone) is half of that.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-selective-flops-causal"},
    chain="""
    f_sel = f_train + L*f_core               -- scores and values once more in each block
      = 6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F + 8/3*s*H*d_h) + D*V)
                                             -- `2 + 4/6` of the core where there were 2
    """,
)
