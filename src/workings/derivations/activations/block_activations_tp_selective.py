"""What a GPT block saves with its scores recomputed, under tensor parallelism."""

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
from workings.derivations.activations._sources import SELECTIVE_EQ_6
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the core checkpointed; the fullest rank's tape."""
    return gpt_block(**letters, recompute="selective")


BLOCK_ACTIVATIONS_TP_SELECTIVE = derivation(
    "block-activations-tp-selective",
    title="Activations a block saves under tensor parallelism with selective recomputation",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT),
    source=SELECTIVE_EQ_6,
    oracle=run_on_every_rank,
    convention=GPT_CONVENTION
    + " Scores, softmax, its dropout and the sum over values are run again in the backward.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="selective", inside="t"),
    holds_for={GPT_SHAPED: "block-activations-llama-mesh"},
    chain="""
    A_tr = rows                                              -- add the rows
      = 10[byte]*s*b_m*D + 24[byte]*s*b_m*D/t                -- nothing grows with `s^2` any more
      = s*b_m*D*(10[byte] + 24[byte]/t)                      -- put `s*b_m*D` outside
    """,
)
