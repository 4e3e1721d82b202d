"""A block with latent attention and experts, backward."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._mixtures import (
    LATENT_MODEL,
    NOT_OF_A_BLOCK,
    latent_block_tape,
    latent_is_long,
)
from workings.derivations.compute._sources import RECOMPUTATION_LAYER
from workings.derivations.compute.mla_block_forward_flops_causal import MLA_BLOCK_FORWARD_FLOPS_CAUSAL
from workings.units import FLOP
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def follow_a_latent_block_back(**letters: Any) -> int | None:
    """Every product of one block written down, then two for each, one a factor."""
    if latent_is_long(**letters):
        return None
    return latent_block_tape(**letters).backward()


MLA_BLOCK_BACKWARD_FLOPS_CAUSAL = derivation(
    "mla-block-backward-flops-causal",
    title="FLOPs of a block with MLA and experts, backward, causal pairs only",
    unit=FLOP,
    letters={name: concept for name, concept in LATENT_MODEL.items() if name not in NOT_OF_A_BLOCK},
    uses={"f_mlb": MLA_BLOCK_FORWARD_FLOPS_CAUSAL.at()},
    given=("k_E <= E",),
    source=RECOMPUTATION_LAYER,
    oracle=follow_a_latent_block_back,
    convention="Causal: pairs of tokens that the mask hides are not computed.",
    leaves_out="Norms, softmax, activation functions and residual additions.",
    holds_for={LATENT_ATTENTION: "block-backward-flops", WITH_EXPERTS: ""},
    chain="""
    f_mlb_b = f_mlb + f_mlb      -- a product for the gradient of either factor
      = 2*f_mlb                  -- add
    """,
)
