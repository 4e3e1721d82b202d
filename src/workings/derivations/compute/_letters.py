"""The letters of a transformer whose products are counted, and the tape they are written on."""

from __future__ import annotations

from workings.simulate.products import Tape, write_attention, write_ffn, write_model
from workings.vocabulary.model import (
    BLOCKS,
    D_MODEL,
    FFN_MATRICES,
    HEAD_DIM,
    HEADS,
    KV_HEADS,
    TOKEN_WIDTH,
    VOCAB,
)
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

SEQUENCES = {"b": BATCH, "s": SEQUENCE_LENGTH}


ATTENTION = {"D": D_MODEL, "H": HEADS, "K": KV_HEADS, "d_h": HEAD_DIM}


FEED_FORWARD = {"F": TOKEN_WIDTH, "n_f": FFN_MATRICES}


BLOCK = {**SEQUENCES, **ATTENTION, **FEED_FORWARD}


MODEL = {**SEQUENCES, "L": BLOCKS, **ATTENTION, **FEED_FORWARD, "V": VOCAB}


GPT_BLOCK = {**SEQUENCES, "D": D_MODEL}


def model_tape(
    *, b: int, s: int, L: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int, V: int,
    causal: bool = False,
) -> Tape:  # fmt: skip
    """Every product of a whole model, sequence by sequence and head by head."""

    def block(tape: Tape) -> None:
        write_attention(tape, s, D, (H, K, d_h), causal=causal)
        write_ffn(tape, s, D, F, n_f)

    return write_model(L, b, block, (s, D, V))


def gpt_tape(b: int, s: int, L: int, D: int, V: int) -> Tape:
    """The same for GPT's shape: as many heads as the width allows, a hidden layer 4 times as wide."""
    heads = next(heads for heads in range(D, 0, -1) if D % heads == 0 and heads * heads <= D)
    return model_tape(b=b, s=s, L=L, D=D, F=4 * D, H=heads, K=heads, d_h=D // heads, n_f=2, V=V)
