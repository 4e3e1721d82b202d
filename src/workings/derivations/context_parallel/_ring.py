"""What the oracles here share: blocks that really go round a ring, and their sizes."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from workings.simulate.block_matrices import spans
from workings.simulate.products import Operand, Tape
from workings.simulate.ring_attention import contiguous, full, head, ring_forward, rotate, whole_forward


def block_values(t: int, b_m: int, s: int, c: int, K: int, d_h: int) -> int | None:
    """Numbers in a rank's keys and values; None where tokens cannot be shared out evenly."""
    if s % c:
        return None
    tokens, heads = spans(s, c)[0], spans(K, t)[0]
    return sum(d_h + d_h for _ in range(b_m) for _ in tokens for _ in heads)


@lru_cache(maxsize=64)
def forward_hops(c: int) -> int:
    """Blocks of keys and values that a rank sends until attention is whole on every rank."""
    tokens = 2 * c
    one, layout = head(tokens, 1), contiguous(tokens, c)
    found = [row for rows in ring_forward(one, layout, full) for row in rows]
    if found != whole_forward(one, full):
        raise AssertionError("Attention round the ring differs from attention on one rank.")
    return rotate(layout, full).kv_hops[0]


def block_flops(t: int, b_m: int, s: int, c: int, H: int, d_h: int, products: int) -> int | None:
    """FLOPs of a block of queries with a block of keys and values, each of `products` written down.

    Forward there are scores and weighted values; backward the scores again, the gradients of the
    weights, of queries, of keys and of values.
    """
    if s % c:
        return None
    tape, rows = Tape(), Operand(s // c, d_h)
    for _ in range(b_m):
        for _ in spans(H, t)[0]:
            square = tape.multiply("scores", rows, rows.transposed())
            tape.multiply("values", square, rows)
            for _ in range(products - 2):
                tape.multiply("gradients", square, rows)
    return tape.forward()


def seconds(amount: Fraction | int, per_second: Fraction) -> Fraction:
    """Time of an amount at a speed."""
    return Fraction(amount) / per_second
