"""A latent model that runs every block again."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import GIVEN, LATENT_MODEL, latent_is_long, latent_tape
from workings.derivations.compute._sources import RECOMPUTATION
from workings.derivations.compute.logits_flops import LOGITS_FLOPS
from workings.derivations.compute.mla_moe_training_flops_causal import MLA_MOE_TRAINING_FLOPS_CAUSAL
from workings.units import FLOP
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def run_latent_blocks_twice(**letters: Any) -> int | None:
    """Every product written down and followed back, those of blocks once more forward."""
    if latent_is_long(**letters):
        return None
    tape = latent_tape(**letters)
    again = tape.forward() - tape.forward("logits")
    return tape.forward() + again + tape.backward()


MLA_FULL_RECOMPUTE_FLOPS_CAUSAL = derivation(
    "mla-full-recompute-flops-causal",
    title="FLOPs of a training step with MLA and experts, every block recomputed, causal pairs",
    unit=FLOP,
    letters=LATENT_MODEL,
    uses={"f_mla_moe": MLA_MOE_TRAINING_FLOPS_CAUSAL.at(), "f_logit": LOGITS_FLOPS.at(B="b*s")},
    given=GIVEN,
    source=RECOMPUTATION,
    oracle=run_latent_blocks_twice,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Everything that is no matrix product; multi-token prediction.",
    holds_for={LATENT_ATTENTION: "full-recompute-flops", WITH_EXPERTS: ""},
    chain="""
    f_mla_full = f_mla_moe + (f_mla_moe/3 - f_logit)      -- forward is a third; logits once
      = 4/3*f_mla_moe - f_logit                           -- collect
    """,
)
