"""The letters of a block's ledger, and the counts that its readings share."""

from fractions import Fraction

from workings.simulate.block_forward import Block, Mesh, Recompute, fullest_rank
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import D_FF, D_MODEL, HEAD_DIM, HEADS, KV_HEADS
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

GPT = {"s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "H": HEADS}


GPT_TP = {**GPT, "t": TP}


LLAMA = {**GPT, "K": KV_HEADS, "d_h": HEAD_DIM, "F": D_FF, "a": ACTIVATION_WIDTH}


LLAMA_MESH = {**LLAMA, "t": TP, "c": CP}


GPT_CONVENTION = (
    "A GPT block: the heads fill the model's width, the feed-forward is `4*D` wide with a GeLU, dropout "
    "after softmax, attention and feed-forward. 2 bytes a value, 1 byte a mask."
)


LEAVES_OUT = (
    "Means and deviations of the norms, random states, and buffers that live for one operation only."
)


HEADS_FIT = "H divides D"


HEADS_SPLIT = "t divides H"


TOKENS_SPLIT = "t divides s"


KV_FIT = "K divides H"


KV_SPLIT = "ceil(max(K/t, t/K)) = max(K/t, t/K)"
"""Either ranks share the key and value heads evenly, or each head serves equally many ranks."""


def gpt_block(
    s: int,
    b_m: int,
    D: int,
    H: int,
    t: int = 1,
    *,
    sequence_parallel: bool = False,
    recompute: Recompute = "none",
    dropout: bool = True,
    flash: bool = False,
) -> Fraction | None:
    """Run a GPT block's forward on shapes, on every rank; the bytes that the fullest rank saves."""
    block = Block(s, b_m, D, H, H, D // H, 4 * D, dropout=dropout, flash=flash)
    return fullest_rank(block, Mesh(t, 1, sequence_parallel), recompute)


def llama_block(
    s: int,
    b_m: int,
    D: int,
    H: int,
    K: int,
    d_h: int,
    F: int,
    a: Fraction,
    t: int = 1,
    c: int = 1,
    *,
    recompute: Recompute = "none",
) -> Fraction | None:
    """Run a Llama block's forward on shapes, on every rank; the bytes that the fullest rank saves."""
    block = Block(s, b_m, D, H, K, d_h, F, gated=True, width=a, dropout=False, flash=True)
    return fullest_rank(block, Mesh(t, c, sequence_parallel=True), recompute)
