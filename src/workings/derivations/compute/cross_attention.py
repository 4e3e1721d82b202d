"""A decoder block with cross-attention.

The decoder of an encoder–decoder does what any block does with its own tokens, and attends to what the
encoder puts out: a query and an output for each token of its own, a key and a value for each token of the
input, and scores of all pairs. While a sequence is generated the keys and values of the input are made
once.
"""

from typing import Any

from workings.derivation import derivation
from workings.derivations.compute._model import BLOCK, model_tape
from workings.derivations.compute.attention_kernels import QUERIES_OVER_KEYS_FLOPS
from workings.derivations.compute.dense import BLOCK_FORWARD_FLOPS
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.parameters._sources import transformers
from workings.simulate.products import write_cross_attention
from workings.units import FLOP
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.serving import INPUT_TOKENS


def write_down_both_attentions(s_x: int, **letters: Any) -> int:
    """Every product of a block and of attention to the input written down with its shapes; counted."""
    tape = model_tape(**letters)
    for _ in range(letters["b"]):
        heads = (letters["H"], letters["K"], letters["d_h"])
        write_cross_attention(tape, letters["s"], s_x, letters["D"], heads)
    return tape.forward("projections", "core", "ffn")


CROSS_BLOCK_FORWARD_FLOPS = derivation(
    "cross-block-forward-flops",
    title="FLOPs of a decoder block with cross-attention, forward",
    phrases="encoder-decoder decoder layer FLOPs; T5 decoder layer compute; cross-attention forward "
    "cost with source and target lengths; FLOPs of a Whisper decoder block; seq2seq decoder layer "
    "operations; cost of attending to the encoder output; target tokens times source tokens compute",
    unit=FLOP,
    letters={**BLOCK, "s_x": INPUT_TOKENS},
    uses={
        "f_block": BLOCK_FORWARD_FLOPS.at(),
        "f_q": MATMUL_FLOPS.at(B="b*s", F="H*d_h"),
        "f_kv": MATMUL_FLOPS.at(B="b*s_x", F="K*d_h"),
        "f_rect": QUERIES_OVER_KEYS_FLOPS.at(s_q="s", s="s_x"),
        "f_o": MATMUL_FLOPS.at(B="b*s", D="H*d_h", F="D"),
    },
    source=transformers(
        "t5", "T5LayerCrossAttention: queries of the decoder, key_value_states of the encoder"
    ),
    oracle=write_down_both_attentions,
    convention="`s` tokens of the decoder's own, the target, and `s_x` of the encoder's, the source. "
    "Full attention over its own tokens; the encoder is as wide as the decoder. Three times this in "
    "training.",
    leaves_out="The encoder's blocks; norms, softmax, activation functions and residual additions.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    f_cross = f_block + f_q + 2*f_kv + f_rect + f_o
                       -- the block; queries, keys and values of the input, all pairs, the output
      = 2[FLOP]*b*s*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h)
        + 4[FLOP]*b*D*d_h*(s*H + s_x*K) + 4[FLOP]*b*s*s_x*H*d_h
                                             -- put them in
      = 2[FLOP]*b*(s*D*(2*d_h*(2*H + K) + n_f*F) + 2*s_x*D*d_h*K + 2*s*(s + s_x)*H*d_h)
                                             -- with weights: target, source; without: pairs
    """,
)
