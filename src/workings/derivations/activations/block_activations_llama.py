"""What a Llama block saves, without parallelism."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import KV_FIT, LEAVES_OUT, LLAMA, llama_block
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import SWIGLU
from workings.units import BYTE
from workings.vocabulary.kinds import GATED, TWO_NORMS, WITHOUT_EXPERTS, WITHOUT_LATENT


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes, with a tape that keeps what each backward needs."""
    return llama_block(**letters)


BLOCK_ACTIVATIONS_LLAMA = derivation(
    "block-activations-llama",
    title="Activations a Llama block saves",
    unit=BYTE,
    letters=LLAMA,
    given=(KV_FIT,),
    source=SWIGLU,
    oracle=run_on_shapes,
    convention="Grouped-query attention by FlashAttention, a gated feed-forward, no dropout. SiLU and "
    "product are one operation that keeps gate and up; unfused, SiLU's output is one tensor of `F` "
    "more.",
    leaves_out=LEAVES_OUT + " Rotating queries and keys keeps only its table of angles.",
    ledger=saved(w="a", q="H*d_h", kv="K*d_h", f="F", ffn="gated", dropout=False, flash=True),
    holds_for={
        GATED: "block-activations",
        WITHOUT_EXPERTS: "block-activations-experts",
        WITHOUT_LATENT: "block-activations-mla",
        TWO_NORMS: "",
    },
    chain="""
    A_ll = rows                                                           -- add the rows
      = a*s*b_m*(4*D + 2*H*d_h + 2*K*d_h + 3*F) + 4[byte]*b_m*H*s         -- collect
    """,
)
