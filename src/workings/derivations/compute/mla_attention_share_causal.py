"""How much of a latent block is attention itself."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import (
    LATENT_MODEL,
    NOT_OF_A_BLOCK,
    latent_block_tape,
    latent_is_long,
)
from workings.derivations.compute._sources import SCALING_BOOK_CONTEXT
from workings.derivations.compute.mla_core_flops_causal import MLA_CORE_FLOPS_CAUSAL
from workings.derivations.compute.mla_projection_flops import MLA_PROJECTION_FLOPS
from workings.derivations.compute.moe_forward_flops import MOE_FORWARD_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def compare_parts_of_a_latent_block(**letters: Any) -> Fraction | None:
    """A block written down; the products of scores and values over all others."""
    if latent_is_long(**letters):
        return None
    tape = latent_block_tape(**letters)
    core = tape.forward("core")
    return Fraction(core, tape.forward() - core)


MLA_ATTENTION_SHARE_CAUSAL = derivation(
    "mla-attention-share-causal",
    title="Latent attention's scores and values over a block's other products, causal pairs only",
    unit=ONE,
    letters={name: concept for name, concept in LATENT_MODEL.items() if name not in NOT_OF_A_BLOCK},
    uses={
        "f_mla_proj": MLA_PROJECTION_FLOPS.at(),
        "f_mla": MLA_CORE_FLOPS_CAUSAL.at(),
        "f_moe": MOE_FORWARD_FLOPS.at(B="b*s"),
    },
    given=("k_E <= E",),
    source=SCALING_BOOK_CONTEXT,
    oracle=compare_parts_of_a_latent_block,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Norms, softmax, activation functions and residual additions.",
    holds_for={LATENT_ATTENTION: "attention-share", WITH_EXPERTS: ""},
    chain="""
    r_mla = f_mla/(f_mla_proj + f_moe)      -- scores and values over products with weights
    """,
)
