"""What all blocks of a model with latent attention save."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations.block_activations_experts import NOTHING_DROPPED
from workings.derivations.activations.block_activations_mla import (
    BLOCK_ACTIVATIONS_MLA,
    run_through_the_latents,
)
from workings.units import BYTE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS
from workings.vocabulary.model import BLOCKS, D_FF, MOE_BLOCKS


def run_block_after_block(L: int, L_E: int, F: int, **letters: Any) -> Fraction | None:
    """Every block's forward run on shapes, the first ones with a dense feed-forward; all tapes."""
    kept = [run_through_the_latents(**letters, d_ff=F if number < L - L_E else 0) for number in range(L)]
    return None if None in kept else sum((one for one in kept if one), Fraction(0))


MLA_BLOCKS_ACTIVATIONS = derivation(
    "mla-blocks-activations",
    title="Activations that all blocks of a model with latent attention save for one micro-batch",
    unit=BYTE,
    letters={**BLOCK_ACTIVATIONS_MLA.letters, "L": BLOCKS, "L_E": MOE_BLOCKS, "F": D_FF},
    uses={"A_la": BLOCK_ACTIVATIONS_MLA.at()},
    given=("L_E <= L",),
    source=BLOCK_ACTIVATIONS_MLA.source,
    oracle=run_block_after_block,
    convention=f"{NOTHING_DROPPED} `L_E` blocks have experts, the others a gated feed-forward of width "
    "`F`. FlashAttention, no dropout, one device.",
    leaves_out="Embedding and head. " + BLOCK_ACTIVATIONS_MLA.leaves_out,
    holds_for={LATENT_ATTENTION: "blocks-activations", WITH_EXPERTS: ""},
    chain="""
    A_LA = sum(A_la, (i, 1, L_E)) + sum(a*s*b_m*(4*D + 2*(r_q + r_kv) + 2*H*(d_n + d_r + d_v) + 3*F)
           + 4[byte]*s*b_m*H, (i, 1, L - L_E))      -- blocks with experts; the others
      = L_E*A_la + (L - L_E)*(a*s*b_m*(4*D + 2*(r_q + r_kv) + 2*H*(d_n + d_r + d_v) + 3*F)
           + 4[byte]*s*b_m*H)                       -- equal blocks
    """,
)
