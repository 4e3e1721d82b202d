"""What a Llama block saves on a rank of tensor, sequence and context parallelism."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    HEADS_SPLIT,
    KV_FIT,
    KV_SPLIT,
    LEAVES_OUT,
    LLAMA_MESH,
    llama_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import LLAMA_3
from workings.units import BYTE
from workings.vocabulary.kinds import GATED, TWO_NORMS, WITHOUT_EXPERTS, WITHOUT_LATENT


def run_on_every_rank(**letters: Any) -> object:
    """The block's forward run on shapes on every rank; what the fullest rank's tape keeps."""
    return llama_block(**letters)


BLOCK_ACTIVATIONS_LLAMA_MESH = derivation(
    "block-activations-llama-mesh",
    title="Activations a Llama block saves under tensor, sequence and context parallelism",
    unit=BYTE,
    letters=LLAMA_MESH,
    given=(HEADS_SPLIT, KV_FIT, KV_SPLIT, "t divides F", "t divides s", "c divides s"),
    source=LLAMA_3,
    oracle=run_on_every_rank,
    convention="Counted as for one device. Where there are fewer key and value heads than ranks, "
    "each rank keeps the head its queries read: 8 heads on 16 ranks are one a rank, not half of one.",
    leaves_out=LEAVES_OUT + " Keys and values gathered from other context-parallel ranks.",
    ledger=saved(
        w="a", q="H*d_h", kv="max(K/t, 1)*d_h", f="F", inside="(t*c)", inside_kv="c", outside="(t*c)",
        ffn="gated", dropout=False, flash=True,
    ),
    holds_for={
        GATED: "block-activations-tp-sp",
        WITHOUT_EXPERTS: "block-activations-dropless",
        WITHOUT_LATENT: "block-activations-mla",
        TWO_NORMS: "",
    },
    chain="""
    A_m = rows                                                            -- add the rows
      = a*s*b_m/c*((4*D + 2*H*d_h + 3*F)/t + 2*max(K/t, 1)*d_h) + 4[byte]*b_m*H*s/(t*c)      -- collect
    """,
)  # fmt: skip
