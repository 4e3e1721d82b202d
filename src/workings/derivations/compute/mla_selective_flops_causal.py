"""A latent model that runs attention's core again."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import GIVEN, LATENT_MODEL, latent_is_long, latent_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.mla_core_flops_causal import MLA_CORE_FLOPS_CAUSAL
from workings.derivations.compute.mla_moe_training_flops_causal import MLA_MOE_TRAINING_FLOPS_CAUSAL
from workings.units import FLOP
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def run_the_latent_core_twice(**letters: Any) -> int | None:
    """Every product written down and followed back, scores and values once more forward."""
    if latent_is_long(**letters):
        return None
    tape = latent_tape(**letters)
    return tape.forward() + tape.forward("core") + tape.backward()


MLA_SELECTIVE_FLOPS_CAUSAL = derivation(
    "mla-selective-flops-causal",
    title="FLOPs of a training step with MLA and experts, attention's core recomputed, causal pairs",
    unit=FLOP,
    letters=LATENT_MODEL,
    uses={"f_mla_moe": MLA_MOE_TRAINING_FLOPS_CAUSAL.at(), "f_mla": MLA_CORE_FLOPS_CAUSAL.at()},
    given=GIVEN,
    source=RECOMPUTATION,
    oracle=run_the_latent_core_twice,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Everything that is no matrix product; multi-token prediction.",
    holds_for={LATENT_ATTENTION: "selective-recompute-flops", WITH_EXPERTS: ""},
    chain="""
    f_mla_sel = f_mla_moe + L*f_mla      -- scores and values once more in each block
    """,
)
