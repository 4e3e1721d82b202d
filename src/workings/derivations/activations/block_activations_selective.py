"""What a GPT block saves with its scores recomputed, under tensor and sequence parallelism."""

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
from workings.derivations.activations._sources import SELECTIVE_EQ_6
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the core checkpointed; the fullest rank's tape."""
    return gpt_block(**letters, sequence_parallel=True, recompute="selective")


BLOCK_ACTIVATIONS_SELECTIVE = derivation(
    "block-activations-selective",
    title="Activations a block saves under tensor and sequence parallelism with selective recomputation",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT, TOKENS_SPLIT),
    source=SELECTIVE_EQ_6,
    oracle=run_on_every_rank,
    convention=GPT_CONVENTION
    + " Scores, softmax, its dropout and the sum over values are run again in the backward.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="selective", inside="t", outside="t"),
    holds_for={GPT_SHAPED: "block-activations-llama-mesh"},
    chain="""
    A_sel = rows                              -- add the rows
      = 34[byte]*s*b_m*D/t                    -- the number of heads no longer matters
    """,
)
