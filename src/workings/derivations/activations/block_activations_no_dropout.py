"""What a GPT block saves without dropout."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT,
    HEADS_FIT,
    LEAVES_OUT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import BLOCK_EQ_1
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes without dropout; what the tape keeps, each tensor once."""
    return gpt_block(**letters, dropout=False)


BLOCK_ACTIVATIONS_NO_DROPOUT = derivation(
    "block-activations-no-dropout",
    title="Activations a block without dropout saves",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    source=BLOCK_EQ_1,
    oracle=run_on_shapes,
    convention="As in the paper, with dropout switched off: the softmax output is what the values are "
    "weighted with, so one tensor serves both.",
    leaves_out=LEAVES_OUT,
    ledger=saved(dropout=False),
    holds_for={GPT_SHAPED: "block-activations-llama"},
    chain="""
    A_nd = rows                                        -- add the rows
      = 32[byte]*s*b_m*D + 2[byte]*b_m*H*s^2           -- two masks fewer; of the scores only the softmax
      = s*b_m*D*(32[byte] + 2[byte]*H*s/D)             -- put `s*b_m*D` outside
    """,
)
