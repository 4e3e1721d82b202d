"""Hardware over model FLOPs of a latent model."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import GIVEN, LATENT_MODEL, latent_is_long, latent_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.mla_core_flops_causal import MLA_CORE_FLOPS_CAUSAL
from workings.derivations.compute.mla_moe_training_flops_causal import MLA_MOE_TRAINING_FLOPS_CAUSAL
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def compare_latent_steps(**letters: Any) -> Fraction | None:
    """Every product counted with scores and values run forward twice, over the same once."""
    if latent_is_long(**letters):
        return None
    tape = latent_tape(**letters)
    once = tape.forward() + tape.backward()
    return Fraction(once + tape.forward("core"), once)


MLA_SELECTIVE_RATIO_CAUSAL = derivation(
    "mla-selective-ratio-causal",
    title="Hardware over model FLOPs with MLA and experts, attention's core recomputed, causal pairs",
    unit=ONE,
    letters=LATENT_MODEL,
    uses={"f_mla_moe": MLA_MOE_TRAINING_FLOPS_CAUSAL.at(), "f_mla": MLA_CORE_FLOPS_CAUSAL.at()},
    given=GIVEN,
    source=RECOMPUTATION,
    oracle=compare_latent_steps,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Everything that is no matrix product; multi-token prediction.",
    holds_for={LATENT_ATTENTION: "selective-recompute-ratio", WITH_EXPERTS: ""},
    chain="""
    r_mla_2 = (f_mla_moe + L*f_mla)/f_mla_moe      -- done, over needed
      = 1 + L*f_mla/f_mla_moe                      -- cancel
    """,
)
