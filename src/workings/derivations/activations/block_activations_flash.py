"""What a GPT block saves with FlashAttention."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT,
    GPT_CONVENTION,
    HEADS_FIT,
    LEAVES_OUT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import FLASH
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes with tiled attention; what the tape keeps, each tensor once."""
    return gpt_block(**letters, flash=True)


BLOCK_ACTIVATIONS_FLASH = derivation(
    "block-activations-flash",
    title="Activations a block with FlashAttention saves",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    source=FLASH,
    oracle=run_on_shapes,
    convention=GPT_CONVENTION + " The dropout of the softmax is drawn again from its random state.",
    leaves_out=LEAVES_OUT,
    ledger=saved(flash=True),
    holds_for={GPT_SHAPED: "block-activations-llama"},
    chain="""
    A_fa = rows                                        -- add the rows
      = 34[byte]*s*b_m*D + 4[byte]*b_m*H*s             -- no scores; a number for each query of each head
      = s*b_m*(34[byte]*D + 4[byte]*H)                 -- linear in the sequence
    """,
)
