"""What a block saves when all of it is recomputed, under sequence parallelism."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT_TP,
    HEADS_FIT,
    HEADS_SPLIT,
    LEAVES_OUT,
    TOKENS_SPLIT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import FULL
from workings.units import BYTE


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward on shapes on every rank, the whole block checkpointed; the fullest tape."""
    return gpt_block(**letters, sequence_parallel=True, recompute="full")


BLOCK_ACTIVATIONS_FULL_SP = derivation(
    "block-activations-full-sp",
    title="Activations a block saves under sequence parallelism with full recomputation",
    unit=BYTE,
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT, TOKENS_SPLIT),
    source=FULL,
    oracle=run_on_every_rank,
    convention="Each rank keeps its own tokens of the input, which are gathered again; 2 bytes a value.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="full", inside="t", outside="t"),
    chain="""
    A_fs = rows                               -- one row: everything else is run again
      = 2[byte]*s*b_m*D/t                     -- at the cost of one more all-gather a block
    """,
)
