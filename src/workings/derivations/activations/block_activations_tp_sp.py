"""What a GPT block saves on a rank of tensor and sequence parallelism."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT_CONVENTION,
    GPT_TP,
    HEADS_FIT,
    HEADS_SPLIT,
    LEAVES_OUT,
    TOKENS_SPLIT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import SEQUENCE_EQ_4
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward run on shapes on every rank; what the fullest rank's tape keeps."""
    return gpt_block(**letters, sequence_parallel=True)


BLOCK_ACTIVATIONS_TP_SP = derivation(
    "block-activations-tp-sp",
    title="Activations a block saves under tensor and sequence parallelism",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT, TOKENS_SPLIT),
    source=SEQUENCE_EQ_4,
    oracle=run_on_every_rank,
    convention=GPT_CONVENTION
    + " A rank keeps its own tokens of a gathered input and gathers them again in the backward.",
    leaves_out=LEAVES_OUT,
    ledger=saved(inside="t", outside="t"),
    holds_for={GPT_SHAPED: "block-activations-llama-mesh"},
    chain="""
    A_ts = rows                                              -- add the rows
      = (34[byte]*s*b_m*D + 5[byte]*b_m*H*s^2)/t             -- every row is shared by the `t` ranks
      = s*b_m*D/t*(34[byte] + 5[byte]*H*s/D)                 -- put `s*b_m*D/t` outside
    """,
)
