"""What a GPT block saves, without parallelism."""

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
from workings.derivations.activations._sources import BLOCK_EQ_1
from workings.units import BYTE
from workings.vocabulary.kinds import GPT_SHAPED


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes, with a tape that keeps what each backward needs."""
    return gpt_block(**letters)


BLOCK_ACTIVATIONS = derivation(
    "block-activations",
    title="Activations a block saves",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    source=BLOCK_EQ_1,
    oracle=run_on_shapes,
    convention=GPT_CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=saved(),
    holds_for={GPT_SHAPED: "block-activations-llama"},
    chain="""
    A_1 = rows                                         -- add the rows
      = 34[byte]*s*b_m*D + 5[byte]*b_m*H*s^2         -- attention 11, feed-forward 19, norms 4; the scores
      = s*b_m*D*(34[byte] + 5[byte]*H*s/D)           -- put `s*b_m*D` outside
    """,
)
