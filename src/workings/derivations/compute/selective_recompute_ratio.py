"""Hardware FLOPs over model FLOPs when attention's core is recomputed, whatever the shape."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.attention_core_flops import ATTENTION_CORE_FLOPS
from workings.derivations.compute.model_training_flops import MODEL_TRAINING_FLOPS
from workings.derivations.compute.selective_recompute_flops import SELECTIVE_RECOMPUTE_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT


def compare_both_steps(**letters: Any) -> Fraction:
    """A model's products counted with the core run forward twice, over the same run once."""
    tape = model_tape(**letters)
    once = tape.forward() + tape.backward()
    return Fraction(once + tape.forward("core"), once)


SELECTIVE_RECOMPUTE_RATIO = derivation(
    "selective-recompute-ratio",
    title="Hardware over model FLOPs, attention's core recomputed, any shape",
    unit=ONE,
    letters=MODEL,
    uses={
        "f_sel": SELECTIVE_RECOMPUTE_FLOPS.at(),
        "f_train": MODEL_TRAINING_FLOPS.at(),
        "f_core": ATTENTION_CORE_FLOPS.at(),
    },
    source=RECOMPUTATION,
    oracle=compare_both_steps,
    convention="Full attention.",
    leaves_out="Everything that is no matrix product; a mixture's router.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-selective-ratio-causal"},
    chain="""
    r_core_2 = f_sel/f_train                 -- what the hardware does, over what the model needs
      = 1 + L*f_core/f_train                 -- the core of every block once more
    """,
)
