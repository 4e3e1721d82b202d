"""A block with latent attention and experts, forward."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import (
    LATENT_MODEL,
    NOT_OF_A_BLOCK,
    latent_block_tape,
    latent_is_long,
)
from workings.derivations.compute._sources import RECOMPUTATION_LAYER
from workings.derivations.compute.mla_core_flops_causal import MLA_CORE_FLOPS_CAUSAL
from workings.derivations.compute.mla_projection_flops import MLA_PROJECTION_FLOPS
from workings.derivations.compute.moe_forward_flops import MOE_FORWARD_FLOPS
from workings.units import FLOP
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def write_down_a_latent_block(**letters: Any) -> int | None:
    """Every product of one block written down, through the latent and through experts."""
    if latent_is_long(**letters):
        return None
    return latent_block_tape(**letters).forward()


MLA_BLOCK_FORWARD_FLOPS_CAUSAL = derivation(
    "mla-block-forward-flops-causal",
    title="FLOPs of a block with MLA and experts, forward, causal pairs only",
    unit=FLOP,
    letters={name: concept for name, concept in LATENT_MODEL.items() if name not in NOT_OF_A_BLOCK},
    uses={
        "f_mla_proj": MLA_PROJECTION_FLOPS.at(),
        "f_mla": MLA_CORE_FLOPS_CAUSAL.at(),
        "f_moe": MOE_FORWARD_FLOPS.at(B="b*s"),
    },
    given=("k_E <= E",),
    source=RECOMPUTATION_LAYER,
    oracle=write_down_a_latent_block,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Norms, softmax, activation functions and residual additions.",
    holds_for={LATENT_ATTENTION: "block-forward-flops", WITH_EXPERTS: ""},
    chain="""
    f_mlb = f_mla_proj + f_mla + f_moe      -- attention's two parts; router and experts
    """,
)
