"""One token's latent attention over a cache, with keys and values brought up and without.

A cache holds for each token a compressed vector and the part of the key that carries position. Weights of
the values are the scores themselves, as in `counted_attention`, so that both ways give the same numbers.
"""

from dataclasses import dataclass

from .matmul import Matrix, counted_matmul, ffn_numbers, transpose


@dataclass(frozen=True)
class Head:
    """A head's query in its two parts, (1, nope) and (1, rope), and its matrices up from the cache."""

    query: Matrix
    turned: Matrix
    up_key: Matrix
    up_value: Matrix


@dataclass(frozen=True)
class Counted:
    """The output (1, value) and the FLOPs of what depends on the cache, and of what does not."""

    output: Matrix
    cache: int
    once: int


def make_heads(heads: int, kv_rank: int, nope: int, rope: int, value: int) -> list[Head]:
    """Heads of small whole numbers."""
    return [
        Head(
            ffn_numbers(1, nope, head),
            ffn_numbers(1, rope, head + 1),
            ffn_numbers(kv_rank, nope, head + 2),
            ffn_numbers(kv_rank, value, head + 3),
        )
        for head in range(heads)
    ]


def absorb(head: Head, latents: Matrix, turned: Matrix) -> Counted:
    """The query is brought into the space of the cache, and only the output is brought up."""
    lowered, first = counted_matmul(head.query, transpose(head.up_key))
    joined = [one + other for one, other in zip(latents, turned, strict=True)]
    scores, second = counted_matmul([lowered[0] + head.turned[0]], transpose(joined))
    mixed, third = counted_matmul(scores, latents)
    output, last = counted_matmul(mixed, head.up_value)
    return Counted(output, second + third, first + last)


def expand(head: Head, latents: Matrix, turned: Matrix) -> Counted:
    """The key and the value of every token in the cache are brought up anew."""
    keys, first = counted_matmul(latents, head.up_key)
    values, second = counted_matmul(latents, head.up_value)
    joined = [one + other for one, other in zip(keys, turned, strict=True)]
    scores, third = counted_matmul([head.query[0] + head.turned[0]], transpose(joined))
    output, last = counted_matmul(scores, values)
    return Counted(output, first + second + third + last, 0)
