"""What a block saves when all of it is recomputed."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    GPT,
    HEADS_FIT,
    LEAVES_OUT,
    gpt_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import FULL
from workings.units import BYTE


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes, the whole block checkpointed; what the tape keeps."""
    return gpt_block(**letters, recompute="full")


BLOCK_ACTIVATIONS_FULL = derivation(
    "block-activations-full",
    title="Activations a block saves with full recomputation",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    source=FULL,
    oracle=run_on_shapes,
    convention="Every rank of a tensor-parallel group keeps the whole input; 2 bytes a value.",
    leaves_out=LEAVES_OUT,
    ledger=saved(recompute="full"),
    chain="""
    A_full = rows                             -- one row: everything else is run again
      = 2[byte]*s*b_m*D                       -- a block of any kind keeps its input
    """,
)
