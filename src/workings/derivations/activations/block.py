"""One block."""

from fractions import Fraction
from math import prod
from typing import Any

from workings.derivation import Source, derivation
from workings.derivations.activations._block_letters import (
    GPT,
    GPT_CONVENTION,
    HEADS_FIT,
    KV_FIT,
    LEAVES_OUT,
    LLAMA,
    gpt_block,
    llama_block,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import TENSOR_EQ_2, _korthikanti
from workings.derivations.ranks.shares import deal_layers_to_stages
from workings.derivations.sources import SUBLINEAR
from workings.simulate.block_tape import Active, Tape
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import GATED, GPT_SHAPED, TWO_NORMS, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.layout import CP, STAGES, TP
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH, TOKENS


def tape_every_layer(L: int, D: int, B: int) -> int:
    """A tape of the forward pass, layer by layer; the values of the tensors it keeps."""
    tape, x = Tape(), Active("X", (B, D), Fraction(1))
    for layer in range(L):
        x = tape.linear(x, D, f"layer {layer}")
    return sum(prod(tensor.shape) for tensor in tape.saved)


LINEAR_NET_ACTIVATIONS = derivation(
    "linear-net-activations",
    title="Values a linear net saves",
    unit=ONE,
    noun="values",
    letters={"L": BLOCKS, "D": D_MODEL, "B": TOKENS},
    source=SUBLINEAR,
    oracle=tape_every_layer,
    convention="`L` square matrices of `D` by `D` one after the other, `B` columns of input; each "
    "matrix needs its input for the gradient of its weights, the output is not kept.",
    chain="""
    A_net = sum(D*B, (i, 1, L))        -- each layer keeps its input
      = L*D*B                          -- few beside `L*D^2` weights while `B` is small beside `D`
    """,
)


BLOCK_EQ_1 = _korthikanti("section 4.1, equation 1")


def run_on_shapes(**letters: Any) -> object:
    """The block's forward run on shapes, with a tape that keeps what each backward needs."""
    return gpt_block(**letters)


BLOCK_ACTIVATIONS = derivation(
    "block-activations",
    title="Activations a block saves",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    fixes={ACTIVATION_WIDTH: 2},
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


def run_on_shapes_of_block_activations_no_dropout(**letters: Any) -> object:
    """The block's forward run on shapes without dropout; what the tape keeps, each tensor once."""
    return gpt_block(**letters, dropout=False)


BLOCK_ACTIVATIONS_NO_DROPOUT = derivation(
    "block-activations-no-dropout",
    title="Activations a block without dropout saves",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    fixes={ACTIVATION_WIDTH: 2},
    source=BLOCK_EQ_1,
    oracle=run_on_shapes_of_block_activations_no_dropout,
    convention="As in the paper, with dropout switched off: the softmax output is what the values are "
    "weighted with, so one tensor serves both.",
    leaves_out=LEAVES_OUT,
    ledger=saved(dropout=False),
    holds_for={GPT_SHAPED: "block-activations-llama"},
    chain="""
    A_nd = rows                                        -- add the rows
      = 32[byte]*s*b_m*D + 2[byte]*b_m*H*s^2           -- two masks fewer; of the scores only the softmax
      = s*b_m*D*(32[byte] + 2[byte]*H*s/D)             -- put `s*b_m*D` outside
    """,
)


FLASH = Source(
    "Dao",
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    2023,
    "section 3.1",
    "https://arxiv.org/abs/2307.08691",
)


def run_on_shapes_of_block_activations_flash(**letters: Any) -> object:
    """The block's forward run on shapes with tiled attention; what the tape keeps, each tensor once."""
    return gpt_block(**letters, flash=True)


BLOCK_ACTIVATIONS_FLASH = derivation(
    "block-activations-flash",
    title="Activations a block with FlashAttention saves",
    unit=BYTE,
    letters=GPT,
    given=(HEADS_FIT,),
    fixes={ACTIVATION_WIDTH: 2},
    source=FLASH,
    oracle=run_on_shapes_of_block_activations_flash,
    convention=GPT_CONVENTION + " The dropout of the softmax is drawn again from its random state.",
    leaves_out=LEAVES_OUT,
    ledger=saved(flash=True),
    holds_for={GPT_SHAPED: "block-activations-llama"},
    chain="""
    A_fa = rows                                        -- add the rows
      = 34[byte]*s*b_m*D + 4[byte]*b_m*H*s             -- no scores; a number for each query of each head
      = s*b_m*(34[byte]*D + 4[byte]*H)                 -- linear in the sequence
    """,
)


SWIGLU = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/core/fusions/fused_bias_swiglu.py, SwiGLUFunction",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/fusions/fused_bias_swiglu.py",
)


def run_on_shapes_of_block_activations_llama(**letters: Any) -> object:
    """The block's forward run on shapes, with a tape that keeps what each backward needs."""
    return llama_block(**letters)


BLOCK_ACTIVATIONS_LLAMA = derivation(
    "block-activations-llama",
    title="Activations a Llama block saves",
    unit=BYTE,
    letters=LLAMA,
    given=(KV_FIT,),
    source=SWIGLU,
    oracle=run_on_shapes_of_block_activations_llama,
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


def deal_ten_tensors(s: int, b_m: int, D: int, L: int, p: int, t: int, c: int) -> Fraction:
    """Ten tensors for each block of the fullest stage, positions dealt to its ranks; the fullest."""
    held = [0] * (t * c)
    for _ in range(10 * deal_layers_to_stages(L, p)):
        for position in range(s):
            held[position % (t * c)] += 2 * b_m * D
    return Fraction(max(held))


TEN_TENSOR_ACTIVATIONS = derivation(
    "ten-tensor-activations",
    title="Activations of a rank by the footprint of ten tensors a block",
    unit=BYTE,
    letters={
        "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "L": BLOCKS, "p": STAGES, "t": TP, "c": CP,
    },
    given=("t*c divides s",),
    fixes={ACTIVATION_WIDTH: 2},
    source=TENSOR_EQ_2,
    oracle=deal_ten_tensors,
    convention="An exercise's footprint: ten tensors of `s*b_m*D` values in 2 bytes, all shared by "
    "`t*c` ranks, for one micro-batch. The source's ledger has sixteen such tensors and two masks, "
    "`34[byte]*s*b_m*D`, of which tensor parallelism alone leaves 10 whole, and scores besides; so "
    "`20[byte]*s*b_m*D` is 10/17 of it without scores. The exercise's sequence-parallel degree is an "
    "axis of its own, here `c`. The fullest stage.",
    leaves_out="The scores, masks, embedding and head; that 1F1B keeps up to `p` micro-batches in "
    "flight on the first stage, `p` times as much.",
    chain="""
    A_10 = ceil(L/p)*(10*2[byte]*s*b_m*D)/(t*c)    -- a stage's blocks, ten tensors each, shared by ranks
      = 20[byte]*s*b_m*D*ceil(L/p)/(t*c)           -- collect
    """,
)  # fmt: skip
