"""What a GPT block saves on a rank of tensor parallelism."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT_CONVENTION,
    GPT_TP,
    HEADS_FIT,
    HEADS_SPLIT,
    LEAVES_OUT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import TENSOR_EQ_2
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward run on shapes on every rank; what the fullest rank's tape keeps."""
    return gpt_block(**letters)


BLOCK_ACTIVATIONS_TP = derivation(
    "block-activations-tp",
    title="Activations a block saves on a tensor-parallel rank",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT),
    source=TENSOR_EQ_2,
    oracle=run_on_every_rank,
    convention=GPT_CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=saved(inside="t"),
    holds_for={GPT_SHAPED: "block-activations-llama-mesh"},
    chain="""
    A_t = rows                                                    -- add the rows
      = 10[byte]*s*b_m*D + 24[byte]*s*b_m*D/t + 5[byte]*b_m*H*s^2/t
                                         -- norms, inputs of both halves and masks after them stay whole
      = s*b_m*D*(10[byte] + 24[byte]/t + 5[byte]*H*s/(D*t))       -- put `s*b_m*D` outside
      >= 10[byte]*s*b_m*D                                         -- what no `t`, however large, can save
    """,
)
