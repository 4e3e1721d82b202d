"""Attention's bytes backward.

Backward, attention that kept its weights passes four tables: it reads the weights twice, writes the
gradient of each and reads it again, and writes and twice reads that of each score. FlashAttention kept
none and computes them once more from queries and keys, block by block; a block of keys collects its
gradients on the chip while all queries come past with their outputs and gradients. More FLOPs, far
fewer bytes: that is the trade.
"""

from fractions import Fraction

from workings.derivation import derivation, only_if
from workings.derivations.roofline._sources import FLASH_BACKWARD, STANDARD_BACKWARD
from workings.derivations.roofline.attention_traffic import ATTENTION
from workings.simulate.attention_gradients import flash_backward, standard_backward
from workings.simulate.matmul import Matrix, ffn_numbers
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.roofline import KEY_BLOCK

EVERY_HEAD = (
    "Backward, all pairs of tokens. Every query head reads keys and values, and has gradients of them "
    "of its own, also where it shares them with others. "
)


def heads(b_m: int, H: int, s: int, d_h: int) -> list[tuple[Matrix, Matrix, Matrix, Matrix]]:
    """Queries, keys, values and the output's gradient of every head of every sequence."""
    only_if(b_m * H * s * s * d_h <= 1_500)
    made = [[ffn_numbers(s, d_h, head + n) for n in range(4)] for head in range(b_m * H)]
    return [(q, k, v, gradient) for q, k, v, gradient in made]


def store_every_table(b_m: int, H: int, s: int, d_h: int, a: Fraction) -> Fraction:
    """Every head's gradients computed by five kernels in turn, each table stored and loaded."""
    return sum(
        (standard_backward(*one, a)[1].moved for one in heads(b_m, H, s, d_h)), Fraction(0)
    )  # fmt: skip


STANDARD_BACKWARD_BYTES = derivation(
    "standard-attention-backward-bytes",
    title="Bytes that attention moves with its scores in memory, backward",
    phrases="HBM accesses of the naive attention backward; unfused attention gradient memory traffic; "
    "reads and writes of dP and dS; eager attention backward bytes; theorem 5 standard attention; cost "
    "of storing score gradients; dS and dP materialized in DRAM",
    unit=BYTE,
    letters=ATTENTION,
    source=STANDARD_BACKWARD,
    oracle=store_every_table,
    convention=f"{EVERY_HEAD}Five kernels: gradients of values, of weights, of scores, of queries, of "
    "keys. The weights of the forward pass were kept.",
    leaves_out="Scaling, mask and dropout, which read and write the table again where they are kernels "
    "of their own.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_sb = a*b_m*H*((s^2 + 2*s*d_h) + (2*s*d_h + s^2) + (s^2 + s^2 + s^2) + 2*(s^2 + s*d_h + s*d_h))
                    -- of values; weights; scores, from both tables; queries, and keys as many
      = a*b_m*H*(7*s^2 + 8*s*d_h)            -- collect: the table seven times, where forward has four
      >= 7*a*b_m*H*s^2                       -- quadratic in the sequence
    """,
)


def stream_the_queries_back(b_m: int, H: int, s: int, d_h: int, a: Fraction, B_c: int) -> Fraction:
    """Every head's keys brought in blocks, all queries taken past each; all that moved."""
    return sum(
        (flash_backward(*one, B_c, a)[1].moved for one in heads(b_m, H, s, d_h)), Fraction(0)
    )  # fmt: skip


FLASH_BACKWARD_BYTES = derivation(
    "flash-attention-backward-bytes",
    title="Bytes that FlashAttention moves, backward",
    phrases="HBM accesses of the FlashAttention backward; flash_attn_bwd memory traffic; IO complexity "
    "of the backward pass; passes over queries, outputs and their gradients; bytes of dQ dK dV with "
    "recomputation; theorem 5 FlashAttention",
    unit=BYTE,
    letters={**ATTENTION, "B_c": KEY_BLOCK},
    source=FLASH_BACKWARD,
    oracle=stream_the_queries_back,
    convention=f"{EVERY_HEAD}Algorithm 4 of the first FlashAttention: blocks of keys outside, queries "
    "inside. A row's largest score and sum count as values of the same width.",
    leaves_out="Zeros written before the first block; caches between memory and chip.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    V_fb = a*b_m*H*(2*s*d_h + ceil(s/B_c)*((4*s*d_h + 2*s) + s*d_h) + 2*s*d_h)
                    -- keys and values; queries, outputs, both gradients, and one back; two gradients
      = a*b_m*H*(4*s*d_h + ceil(s/B_c)*(5*s*d_h + 2*s))     -- as many passes as blocks
    """,
)
