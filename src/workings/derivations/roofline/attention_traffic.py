"""Attention's bytes, with scores in memory and without.

Attention as it is written down makes a table of a score for each pair of tokens, writes it, reads it for
the softmax, writes the weights, and reads them for the values: four times the square of the sequence.
FlashAttention keeps a block of keys and values on the chip, takes all queries past it, and never writes a
score; it pays with reading queries and outputs once for each block. The larger the on-chip memory, the
fewer blocks there are. FlashAttention-2 turns the loops round: outputs stay, and keys and values pass.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.roofline._sources import (
    BLOCK_SPARSE,
    FLASH_ATTENTION,
    FLASH_ATTENTION_2,
    STANDARD_ATTENTION,
)
from workings.simulate.attention_kernels import flash_attention, flash_attention_2, standard_attention
from workings.simulate.matmul import Matrix, ffn_numbers
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.model import HEAD_DIM, HEADS
from workings.vocabulary.roofline import COMPUTED_BLOCKS, KEY_BLOCK, ON_CHIP, QUERY_BLOCK
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

ATTENTION = {
    "b_m": MICROBATCH, "H": HEADS, "s": SEQUENCE_LENGTH, "d_h": HEAD_DIM, "a": ACTIVATION_WIDTH,
}  # fmt: skip
EVERY_HEAD = (
    "Forward, all pairs of tokens. Every query head reads keys and values, also those that it shares "
    "with others. "
)


def heads(b_m: int, H: int, s: int, d_h: int) -> list[tuple[Matrix, Matrix, Matrix]] | None:
    """Queries, keys and values of every head of every sequence; nothing where they are too many."""
    if b_m * H * s * s * d_h > 3_000:
        return None
    places = [(sequence, head) for sequence in range(b_m) for head in range(H)]
    made = [[ffn_numbers(s, d_h, i + 3 * j + n) for n in range(3)] for i, j in places]
    return [(q, k, v) for q, k, v in made]


def write_the_scores(b_m: int, H: int, s: int, d_h: int, a: Fraction) -> Fraction | None:
    """Every head's scores, weights and outputs computed, each written to memory and read again."""
    made = heads(b_m, H, s, d_h)
    return sum((standard_attention(*one, a)[1].moved for one in made), Fraction(0)) if made else None


STANDARD_ATTENTION_BYTES = derivation(
    "standard-attention-bytes",
    title="Bytes that attention moves with its scores in memory, forward",
    phrases="HBM accesses of naive attention; unfused softmax attention memory traffic; Nd + N^2 "
    "accesses; materialized score matrix reads and writes; eager attention bytes; cost of writing "
    "QK^T to HBM",
    unit=BYTE,
    letters=ATTENTION,
    source=STANDARD_ATTENTION,
    oracle=write_the_scores,
    convention=f"{EVERY_HEAD}Three kernels: scores, softmax, weighted values.",
    leaves_out="Scaling, mask and dropout, which read and write the table again where they are "
    "kernels of their own.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_std = a*b_m*H*((2*s*d_h + s^2) + (s^2 + s^2) + (s^2 + s*d_h + s*d_h))
                                             -- scores written; read, weights written; read, with values
      = 4*a*b_m*H*(s^2 + s*d_h)              -- collect: the table four times, and four tensors once
      >= 4*a*b_m*H*s^2                       -- quadratic in the sequence
    """,
)


def stream_the_queries(b_m: int, H: int, s: int, d_h: int, a: Fraction, B_c: int) -> Fraction | None:
    """Every head's keys brought in blocks and all queries taken past each; all that moved."""
    made = heads(b_m, H, s, d_h)
    return sum((flash_attention(*one, B_c, a)[1].moved for one in made), Fraction(0)) if made else None


FLASH_ATTENTION_BYTES = derivation(
    "flash-attention-bytes",
    title="Bytes that FlashAttention moves, forward",
    phrases="HBM accesses of FlashAttention; tiled attention memory traffic; IO-aware attention "
    "reads and writes; flash kernel bytes with block size; online softmax traffic",
    unit=BYTE,
    letters={**ATTENTION, "B_c": KEY_BLOCK},
    source=FLASH_ATTENTION,
    oracle=stream_the_queries,
    convention=f"{EVERY_HEAD}Algorithm 1 of the first FlashAttention: blocks of keys outside, queries "
    "inside. A row's largest score and sum count as values of the same width.",
    leaves_out="Caches between memory and chip, which let blocks that run at once share what they read.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_fl = a*b_m*H*(2*s*d_h + ceil(s/B_c)*((2*s*d_h + 2*s) + (s*d_h + 2*s)))
                                             -- keys and values once; the rest for each block
      = a*b_m*H*(2*s*d_h + ceil(s/B_c)*(3*s*d_h + 4*s))      -- as many passes as blocks
    """,
)


def stream_the_keys(b_m: int, H: int, s: int, d_h: int, a: Fraction, B_r: int) -> Fraction | None:
    """Every head's queries brought in blocks and all keys and values taken past each; all that moved."""
    made = heads(b_m, H, s, d_h)
    return sum((flash_attention_2(*one, B_r, a)[1].moved for one in made), Fraction(0)) if made else None


FLASH_ATTENTION_2_BYTES = derivation(
    "flash-attention-2-bytes",
    title="Bytes that FlashAttention-2 moves, forward",
    phrases="FlashAttention-2 HBM accesses; FA2 memory traffic; keys and values reread for each query "
    "block; logsumexp written once; loops swapped, queries outside",
    unit=BYTE,
    letters={**ATTENTION, "B_r": QUERY_BLOCK},
    source=FLASH_ATTENTION_2,
    oracle=stream_the_keys,
    convention=f"{EVERY_HEAD}Algorithm 1 of FlashAttention-2: blocks of queries outside, keys inside, "
    "so that outputs stay on the chip. The logarithm of a row's sum counts as a value of the same "
    "width.",
    leaves_out="Caches between memory and chip, which let blocks that run at once share what they read.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_fl2 = a*b_m*H*((2*s*d_h + s) + ceil(s/B_r)*(s*d_h + s*d_h))
                                             -- queries, outputs and sums once; keys and values a block
      = a*b_m*H*s*(2*d_h + 1 + 2*d_h*ceil(s/B_r))            -- collect: two tensors a pass, not three
    """,
)


def fill_the_chip(b_m: int, H: int, s: int, d_h: int, a: Fraction, M: int) -> Fraction | None:
    """A chip filled with keys, values, queries and outputs of as many tokens as it has room for."""
    block = 0
    while 4 * d_h * (block + 1) <= M:
        block += 1
    return stream_the_queries(b_m, H, s, d_h, a, block)


FLASH_ATTENTION_ACCESSES = like(
    "flash-attention-on-chip-bytes",
    FLASH_ATTENTION_BYTES,
    title="Bytes that FlashAttention moves for the on-chip memory it has, forward",
    phrases="FlashAttention IO complexity theorem 2; N^2 d^2 / M accesses; SRAM size and attention "
    "traffic; does a bigger shared memory reduce HBM accesses; asymptotic bound on flash attention "
    "reads",
    letters={**ATTENTION, "M": ON_CHIP},
    uses={"V_fl": FLASH_ATTENTION_BYTES.at(B_c="M/(4*d_h)")},
    given=("4*d_h divides M -- blocks of keys, values, queries and outputs fill the chip",),
    oracle=fill_the_chip,
    chain="""
    V_M = V_fl                                               -- a quarter of the chip for keys
      = a*b_m*H*(2*s*d_h + ceil(4*s*d_h/M)*(3*s*d_h + 4*s))  -- blocks of `M/(4*d_h)` keys
      ≈ [s -> oo] 4*a*b_m*H*s^2*d_h*(3*d_h + 4)/M            -- long sequences: twice the chip halves it
      <= 28*a*b_m*H*s^2*d_h^2/M                              -- the order of theorem 2, as `d_h >= 1`
    """,
)


def run_both_ways(s: int, d_h: int, B_c: int) -> Fraction | None:
    """One head's attention computed with scores in memory and in blocks; bytes over bytes."""
    made = heads(1, 1, s, d_h)
    if made is None:
        return None
    (one,) = made
    return standard_attention(*one)[1].moved / flash_attention(*one, B_c)[1].moved


FLASH_ATTENTION_SAVING = derivation(
    "flash-attention-saving",
    title="Bytes of attention with its scores in memory over those of FlashAttention, forward",
    phrases="how much less HBM traffic with FlashAttention; flash attention memory access reduction "
    "factor; naive over flash bytes; why is FlashAttention faster; 9x fewer HBM accesses",
    unit=ONE,
    letters={"s": SEQUENCE_LENGTH, "d_h": HEAD_DIM, "B_c": KEY_BLOCK},
    uses={
        "V_std": STANDARD_ATTENTION_BYTES.at(b_m="1", H="1", a="1[byte]"),
        "V_fl": FLASH_ATTENTION_BYTES.at(b_m="1", H="1", a="1[byte]"),
    },
    given=("B_c divides s",),
    source=FLASH_ATTENTION,
    oracle=run_both_ways,
    convention="Both forward, as each of them is counted; more bytes are saved backward.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    r_fl = V_std/V_fl                                        -- head by head the same
      = 4*(s^2 + s*d_h)/(2*s*d_h + s^2*(3*d_h + 4)/B_c)      -- put both in: `s/B_c` whole blocks
      ≈ [s -> oo] 4*B_c/(3*d_h + 4)                          -- `B_c = d_h` saves about a quarter
    """,
)


def skip_what_is_masked(
    b_m: int, H: int, s: int, d_h: int, a: Fraction, B_c: int, x_b: Fraction
) -> Fraction:
    """Every head's keys brought in blocks, of which only some pairs with a query run; all that moved."""
    only_if(b_m * H * s * s * d_h <= 12_000)
    pairs = [(query, block) for block in range(len(range(0, s, B_c))) for query in range(s)]
    computed = x_b * len(pairs)
    only_if(computed.denominator == 1)
    masked = pairs[int(computed) :]
    moved = Fraction(0)
    for head in range(b_m * H):
        q, k, v = (ffn_numbers(s, d_h, head + n) for n in range(3))
        moved += flash_attention(q, k, v, B_c, a, masked)[1].moved
    return moved


BLOCK_SPARSE_BYTES = derivation(
    "block-sparse-attention-bytes",
    title="Bytes that block-sparse FlashAttention moves, forward",
    phrases="HBM accesses of block-sparse attention; sparsity saves memory traffic; Nd + N^2 d^2 s / M "
    "accesses; skip blocks of the score matrix; FlashAttention with a block mask; bytes when only a "
    "share of the tiles is computed; fraction of nonzero blocks",
    unit=BYTE,
    letters={**ATTENTION, "B_c": KEY_BLOCK, "x_b": COMPUTED_BLOCKS},
    source=BLOCK_SPARSE,
    oracle=skip_what_is_masked,
    convention="Forward. Every query head reads keys and values, also those that it shares with others. "
    "Algorithm 5 of the first FlashAttention: a block that the mask hides is skipped, but keys and "
    "values are read once all the same. `x_b = 1` is flash-attention-bytes; a causal mask with blocks "
    "as long as wide has `x_b = (n + 1)/(2*n)` with `n` blocks of keys.",
    leaves_out="Caches between memory and chip; the mask of blocks itself.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_bs = a*b_m*H*(2*s*d_h + x_b*s*ceil(s/B_c)*((2*d_h + 2) + (d_h + 2)))
                            -- keys and values once; a query's share of each computed block
      = a*b_m*H*s*(2*d_h + x_b*ceil(s/B_c)*(3*d_h + 4))
                            -- collect
    """,
)
