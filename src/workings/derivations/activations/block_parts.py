"""Parts of what a block saves.

The block's ledger added up by its parts: attention, of which the scores are the rows that grow with the
square of the sequence, the feed-forward and the norms. For GPT's block they are the paper's 11 and 5, 19
and 4, and on the ranks of a tensor-parallel group attention and feed-forward keep their inputs and masks
whole. A Llama block has neither scores nor masks, and its feed-forward keeps three hidden tensors.
What introductions count is simpler still, so many tensors of one width or another for each block: the
last entry takes their numbers as letters.
"""

from fractions import Fraction
from math import prod
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.activations._block import (
    ATTENTION_ROWS,
    GPT_TP,
    HEADS_FIT,
    HEADS_SPLIT,
    KV_FIT,
    LLAMA,
    NORM_ROWS,
    SCORE_ROWS,
    TOKEN_VALUES,
    feed_forward_rows,
    only,
    saved,
)
from workings.derivations.activations._sources import TENSOR_EQ_2, korthikanti
from workings.derivations.activations.block import BLOCK_ACTIVATIONS, BLOCK_ACTIVATIONS_LLAMA
from workings.derivations.sources import scaling_book
from workings.simulate.block_forward import Block, Mesh, Part, fullest_part
from workings.simulate.block_tape import Active, Tape
from workings.units import BYTE
from workings.vocabulary.activations import SAVED_HIDDEN, SAVED_WIDE
from workings.vocabulary.kinds import GATED, GPT_SHAPED, WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.layout import TP
from workings.vocabulary.model import BLOCKS, D_FF
from workings.vocabulary.training import ACTIVATION_WIDTH

PARTS = korthikanti("section 4.1")


def gpt_part(part: Part, s: int, b_m: int, D: int, H: int = 0, t: int = 1) -> Fraction | None:
    """One part of a GPT block run on shapes on every rank; what the fullest rank's tape keeps.

    A part without attention has a head on each rank.
    """
    heads = H or t
    block = Block(s, b_m, D, heads, heads, D // heads, 4 * D)
    return fullest_part(block, Mesh(t), part)


def run_attention(**letters: Any) -> Fraction | None:
    """Attention alone run on shapes on every rank, its dropout too; what the fullest tape keeps."""
    return gpt_part("attention", **letters)


ATTENTION_ACTIVATIONS = like(
    "attention-activations",
    BLOCK_ACTIVATIONS,
    title="Activations that a block's attention saves",
    phrases="activation memory of the attention block; 11sbh + 5as²b; attention part of layer stash; "
    "QKV input, Q and K, softmax, dropout and V kept for backward; saved tensors of self-attention in "
    "a GPT layer; stash of QKV, softmax and projection",
    source=PARTS,
    oracle=run_attention,
    ledger=only(saved(), ATTENTION_ROWS),
    holds_for={GPT_SHAPED: "attention-activations-llama"},
    chain="""
    A_att = rows                                           -- add the rows
      = 11[byte]*s*b_m*D + 5[byte]*b_m*H*s^2               -- five tensors and a mask; the scores
      = s*b_m*D*(11[byte] + 5[byte]*H*s/D)                 -- put `s*b_m*D` outside
    """,
)


ATTENTION_ACTIVATIONS_TP = like(
    "attention-activations-tp",
    ATTENTION_ACTIVATIONS,
    title="Activations that a block's attention saves on a tensor-parallel rank",
    phrases="attention activations with TP; sbh(3 + 8/t) + 5as²b/t; attention stash per tensor-parallel "
    "GPU; which attention tensors stay whole under tensor parallelism; heads split over ranks, saved "
    "tensors; per-card self-attention activation bytes",
    letters=GPT_TP,
    given=(HEADS_SPLIT, HEADS_FIT),
    source=TENSOR_EQ_2,
    ledger=only(saved(inside="t"), ATTENTION_ROWS),
    holds_for={GPT_SHAPED: ""},
    chain="""
    A_att_t = rows                                               -- add the rows
      = 3[byte]*s*b_m*D + 8[byte]*s*b_m*D/t + 5[byte]*b_m*H*s^2/t
                                                 -- its input and the mask after it stay whole
    """,
)


def run_scores(s: int, b_m: int, D: int, H: int) -> Fraction | None:
    """Attention run on shapes with its scores and tiled without; what the first tape keeps more."""
    kept = gpt_part("attention", s, b_m, D, H)
    tiled = Block(s, b_m, D, H, H, D // H, 4 * D, flash=True)
    statistics = 4 * sum(1 for _ in range(b_m) for _ in range(H) for _ in range(s))
    rest = fullest_part(tiled, Mesh(), "attention")
    return None if kept is None or rest is None else kept - (rest - statistics)


SCORE_ACTIVATIONS = like(
    "score-activations",
    ATTENTION_ACTIVATIONS,
    title="Activations quadratic in the sequence that a block saves",
    phrases="5as²b; scores part of activation memory; softmax output, its mask and dropout output; the s "
    "squared term of the activation formula; what selective recomputation or FlashAttention drops; "
    "quadratic attention stash",
    oracle=run_scores,
    ledger=only(saved(), SCORE_ROWS),
    holds_for={GPT_SHAPED: ""},
    chain="""
    A_sq = rows                                -- add the rows
      = 5[byte]*b_m*H*s^2                      -- two tensors in 2 bytes and a mask in one
    """,
)


def run_feed_forward(**letters: Any) -> Fraction | None:
    """The feed-forward alone run on shapes on every rank; what the fullest rank's tape keeps."""
    return gpt_part("feed-forward", **letters)


FFN_ACTIVATIONS = like(
    "ffn-activations",
    ATTENTION_ACTIVATIONS,
    title="Activations that a block's feed-forward saves",
    phrases="activation memory of the MLP block; 19sbh; MLP part of layer stash; GeLU input and hidden "
    "values kept for backward; saved tensors of the feed-forward in a GPT layer; hidden and GeLU "
    "tensors of the MLP",
    letters=TOKEN_VALUES,
    given=(),
    oracle=run_feed_forward,
    ledger=feed_forward_rows(saved()),
    holds_for={GPT_SHAPED: "ffn-activations-llama"},
    chain="""
    A_ffn = rows                                     -- add the rows
      = 19[byte]*s*b_m*D                             -- its input, two tensors of `4*D`, a mask
    """,
)


FFN_ACTIVATIONS_TP = like(
    "ffn-activations-tp",
    FFN_ACTIVATIONS,
    title="Activations that a block's feed-forward saves on a tensor-parallel rank",
    phrases="MLP activations with TP; sbh(3 + 16/t); feed-forward stash per tensor-parallel GPU; MLP "
    "hidden values split over ranks; which MLP tensors stay whole under tensor parallelism; per-card "
    "feed-forward activation bytes",
    letters={**TOKEN_VALUES, "t": TP},
    given=("t divides D",),
    source=TENSOR_EQ_2,
    ledger=feed_forward_rows(saved(inside="t")),
    holds_for={GPT_SHAPED: ""},
    chain="""
    A_ffn_t = rows                                   -- add the rows
      = 3[byte]*s*b_m*D + 16[byte]*s*b_m*D/t         -- its input and the mask after it stay whole
    """,
)


def run_norms(**letters: Any) -> Fraction | None:
    """Both norms alone run on shapes; what the tape keeps."""
    return gpt_part("norms", **letters)


NORM_ACTIVATIONS = like(
    "norm-activations",
    FFN_ACTIVATIONS,
    title="Activations that a block's norms save",
    phrases="activation memory of the layer norms; 4sbh; inputs of both LayerNorms kept for backward; "
    "norm part of layer stash; saved tensors of pre-norm layers; layernorm inputs in bytes",
    oracle=run_norms,
    convention="Two norms a block, 2 bytes a value. Tensor parallelism leaves their inputs whole on "
    "every rank; sequence parallelism splits them.",
    ledger=only(saved(), NORM_ROWS),
    holds_for={},
    chain="""
    A_norm = rows                                    -- add the rows
      = 4[byte]*s*b_m*D                              -- two inputs
    """,
)


def llama_part(
    part: Part, s: int, b_m: int, D: int, a: Fraction, H: int = 1, K: int = 1, d_h: int = 1, F: int = 1
) -> Fraction | None:
    """One part of a Llama block run on shapes; what its tape keeps."""
    block = Block(s, b_m, D, H, K, d_h, F, gated=True, width=a, dropout=False, flash=True)
    return fullest_part(block, Mesh(), part)


def run_tiled_attention(**letters: Any) -> Fraction | None:
    """Attention with grouped queries run on shapes, tile by tile; what its tape keeps."""
    return llama_part("attention", **letters)


_LLAMA_ROWS = saved(w="a", q="H*d_h", kv="K*d_h", f="F", ffn="gated", dropout=False, flash=True)

ATTENTION_ACTIVATIONS_LLAMA = like(
    "attention-activations-llama",
    BLOCK_ACTIVATIONS_LLAMA,
    title="Activations that a Llama block's attention saves",
    phrases="activation memory of GQA attention with FlashAttention; attention part of a Llama layer's "
    "stash; Q, K, V, output and log-sum-exp kept for backward; saved tensors of flash attention; "
    "attention activations of Qwen or Mistral; grouped-query attention stored for backward",
    letters={name: concept for name, concept in LLAMA.items() if name != "F"},
    given=(KV_FIT,),
    oracle=run_tiled_attention,
    convention="Grouped-query attention by FlashAttention, no dropout.",
    ledger=only(_LLAMA_ROWS, ATTENTION_ROWS),
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    A_att_L = rows                                                   -- add the rows
      = a*s*b_m*(D + 2*d_h*(H + K)) + 4[byte]*b_m*H*s                -- linear in the sequence
    """,
)


def run_gated_feed_forward(**letters: Any) -> Fraction | None:
    """A gated feed-forward alone run on shapes; what its tape keeps."""
    return llama_part("feed-forward", **letters)


FFN_ACTIVATIONS_LLAMA = like(
    "ffn-activations-llama",
    BLOCK_ACTIVATIONS_LLAMA,
    title="Activations that a Llama block's feed-forward saves",
    phrases="activation memory of SwiGLU; gate, up and product kept for backward; MLP part of a Llama "
    "layer's stash; saved tensors of a gated MLP; SwiGLU activations of Qwen or Mistral; three hidden "
    "tensors of the gated feed-forward",
    letters={**TOKEN_VALUES, "F": D_FF, "a": ACTIVATION_WIDTH},
    given=(),
    oracle=run_gated_feed_forward,
    convention="A gated feed-forward, no dropout. SiLU and product are one operation that keeps gate and "
    "up; unfused, SiLU's output is one tensor of `F` more.",
    ledger=feed_forward_rows(_LLAMA_ROWS),
    holds_for={GATED: "ffn-activations", WITHOUT_EXPERTS: ""},
    chain="""
    A_ffn_L = rows                                   -- add the rows
      = a*s*b_m*(D + 3*F)                            -- its input; gate, up and their product
    """,
)


def tape_so_many_tensors(
    a: Fraction, s: int, b_m: int, D: int, F: int, L: int, c_D: int, c_F: int
) -> Fraction:
    """A stack of linear layers whose inputs have these widths, taped; what it keeps, tensor by tensor."""
    widths = [*[D] * c_D, *[F] * c_F] * L
    only_if(len(widths) <= 2_000)
    tape = Tape()
    x = Active("input", (s, b_m, widths[0]), a) if widths else None
    for place, _ in enumerate(widths):
        assert x is not None  # noqa: S101 - there is an input where there is a layer
        x = tape.linear(x, widths[(place + 1) % len(widths)], f"layer {place}")
    return sum((prod(tensor.shape) * tensor.width for tensor in tape.saved), Fraction(0))


SAVED_TENSOR_ACTIVATIONS = derivation(
    "saved-tensor-activations",
    title="Activations of a model by how many tensors a block saves",
    phrases="about 20 saved tensors per layer; 12 × hidden × batch × seq × layers; activation memory "
    "keeping only big matmuls outputs; 2LB(D + 2F) bf16 activations; save 7 tensors a layer; "
    "checkpoint policy dots_saveable footprint; GPT-2 1.5B activations 60 GB; activation estimate from "
    "number of saved nodes",
    unit=BYTE,
    letters={
        "a": ACTIVATION_WIDTH, **TOKEN_VALUES, "F": D_FF, "L": BLOCKS, "c_D": SAVED_WIDE,
        "c_F": SAVED_HIDDEN,
    },
    source=scaling_book("transformers", "part 4, “Gradient checkpointing”"),
    oracle=tape_so_many_tensors,
    convention="All tensors in `a` bytes a value. The book takes about 20 of the model's width without "
    "recomputation and 7 where the outputs of large products are kept; ZeRO takes 12 for GPT-2. "
    "ten-tensor-activations has ten of them, shared by ranks.",
    leaves_out="Scores and masks, embedding and head.",
    chain="""
    A_c = sum(sum(a*s*b_m*D, (i, 1, c_D)) + sum(a*s*b_m*F, (j, 1, c_F)), (l, 1, L))
                                              -- in each block so many tensors of either width
      = a*s*b_m*L*(c_D*D + c_F*F)             -- equal tensors, equal blocks
    """,
)  # fmt: skip
