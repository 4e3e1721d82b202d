"""Attention between two blocks, nothing masked."""

from workings.derivation import derivation
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.context_parallel._letters import QUERIES
from workings.derivations.context_parallel._ring import block_flops
from workings.derivations.context_parallel._sources import RING_ATTENTION_INTENSITY
from workings.units import FLOP


def multiply_two_blocks(c: int, t: int, b_m: int, s: int, H: int, d_h: int) -> int | None:
    """Scores and weighted values of every sequence and head, product by product."""
    return block_flops(t, b_m, s, c, H, d_h, 2)


RING_BLOCK_FLOPS = derivation(
    "ring-block-flops",
    title="FLOPs of a block of queries with a block of keys and values",
    unit=FLOP,
    letters=QUERIES,
    uses={
        "f_qk": MATMUL_FLOPS.at(B="s/c", D="d_h", F="s/c"),
        "f_av": MATMUL_FLOPS.at(B="s/c", D="s/c", F="d_h"),
    },
    given=("t divides H", "c divides s"),
    source=RING_ATTENTION_INTENSITY,
    oracle=multiply_two_blocks,
    convention="One layer, one micro-batch, one step of the ring, forward; nothing is masked. A "
    "tensor-parallel rank has `H/t` of the query heads.",
    leaves_out="The softmax; projections and feed-forward.",
    chain="""
    f_blk = b_m*(H/t)*(f_qk + f_av)                 -- for each head: scores, then weighted values
      = b_m*(H/t)*(2[FLOP]*(s/c)*d_h*(s/c) + 2[FLOP]*(s/c)*(s/c)*d_h)   -- two products
      = 4[FLOP]*b_m*(H/t)*d_h*(s/c)^2               -- quadratic in a rank's tokens
    """,
)
