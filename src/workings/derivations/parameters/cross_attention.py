"""A decoder block with cross-attention.

The decoder of an encoder–decoder has a second attention in every block: its queries are made of the
decoder's tokens, its keys and values of what the encoder puts out. It takes as many weights as the first,
and a norm before it. A block of the encoder is a block as any other.
"""

from workings.derivation import derivation
from workings.derivations.parameters._letters import (
    ATTENTION,
    ATTENTION_BIAS,
    BLOCK_NORMS,
    FEED_FORWARD,
    described,
)
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.dense import BLOCK_PARTS
from workings.simulate.weights import attention, block, count, norm
from workings.units import ONE
from workings.vocabulary.kinds import DENSE_BLOCKS, WITH_ATTENTION, WITHOUT_LATENT


def list_both_attentions(**letters: int) -> int:
    """A list of a block's tensors, of a second attention's and of its norm's, elements added up."""
    of = described(**letters)
    first = count(block(of, expert_block=False))
    return first + count(attention(of)) + count(norm("cross-attention norm", of.d_model, of.norm_bias))


CROSS_BLOCK_PARAMETERS = derivation(
    "cross-block-parameters",
    title="Parameters of a decoder block with cross-attention",
    phrases="encoder-decoder decoder layer weights; T5 decoder layer parameter count; "
    "cross-attention parameters per layer; how many weights does cross-attention add; Whisper or BART "
    "decoder block size; EncDecAttention weights; encoder_attn q_proj k_proj v_proj out_proj weights; "
    "seq2seq decoder layer with encoder attention",
    unit=ONE,
    noun="parameters",
    letters={**ATTENTION, **ATTENTION_BIAS, **FEED_FORWARD, **BLOCK_NORMS},
    uses=BLOCK_PARTS,
    source=transformers("t5", "T5Block: T5LayerSelfAttention, T5LayerCrossAttention, T5LayerFF"),
    oracle=list_both_attentions,
    convention="The second attention has the heads and biases of the first, no norms of queries and "
    "keys, and the encoder is as wide as the decoder. `n_n` counts the norms of a block without it, "
    "so `n_n = 2` is a block of 3. Of T5's base model 9,439,488, where a block of its encoder has "
    "7,079,424.",
    leaves_out="T5's biases by relative position, which one block has for all.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "", DENSE_BLOCKS: ""},
    chain="""
    P_cross = P_attn + P_attn_b + (P_attn + P_attn_b + P_norm) + P_ffn + P_norms
                       -- over its own tokens; over the encoder's, with a norm; feed-forward and norms
      = 2*(P_attn + P_attn_b) + P_norm + P_ffn + P_norms         -- two attentions alike
      = 4*D*d_h*(H + K) + 2*(beta_qkv*(H + 2*K)*d_h + beta_o*D) + (1 + beta_n)*D
        + n_f*D*F + beta_f*((n_f - 1)*F + D) + (1 + beta_n)*(n_n*D + n_qk*d_h)
                                                                 -- put them in
    """,
)
