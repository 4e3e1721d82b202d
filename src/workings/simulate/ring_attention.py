"""Attention over ranks that hold parts of a sequence: keys and values go round a ring of them.

The weight of a key for a query is 1 + (q·k)², a positive whole number in place of an exponential,
so that results are exact. A rank keeps a running numerator and denominator for each of its queries;
backward, the gradients of keys and values travel with them and are added to at every rank.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ._checks import positive_count
from .block_matrices import Matrix, numbers, spans

Vector: TypeAlias = tuple[Fraction, ...]
Layout: TypeAlias = list[list[int]]


@dataclass(frozen=True)
class Heads:
    """Queries, keys, values and the output's gradient of one head: one row a token."""

    queries: Matrix
    keys: Matrix
    values: Matrix
    grads: Matrix


@dataclass(frozen=True)
class Travel:
    """What went round: for each rank its pairs in every step, its hops and the numbers sent.

    pairs: query-key pairs a rank computed, step by step. kv_hops, grad_hops: blocks of keys and
    values, and of their gradients, that a rank sent. sent: numbers, over both kinds of blocks.
    """

    pairs: tuple[tuple[int, ...], ...]
    kv_hops: tuple[int, ...]
    grad_hops: tuple[int, ...]
    sent: tuple[int, ...]


def contiguous(tokens: int, ranks: int) -> Layout:
    """Each rank holds consecutive tokens."""
    return [list(span) for span in spans(tokens, ranks)]


def zig_zag(tokens: int, ranks: int) -> Layout:
    """Twice as many chunks as ranks: rank r holds chunk r from the front and chunk r from the back."""
    chunks = spans(tokens, 2 * positive_count("ranks", ranks))
    return [[*chunks[rank], *chunks[-1 - rank]] for rank in range(ranks)]


def striped(tokens: int, ranks: int) -> Layout:
    """Every rank's tokens are spread evenly over the sequence."""
    return [list(range(rank, tokens, ranks)) for rank in range(ranks)]


def causal(query: int, key: int) -> bool:
    """A query sees keys up to its own place."""
    return key <= query


def full(_query: int, _key: int) -> bool:
    """A query sees every key."""
    return True


Mask: TypeAlias = Callable[[int, int], bool]


def rotate(layout: Layout, mask: Mask, width: int = 1) -> Travel:
    """Pass blocks round until every rank has met every block; count pairs, hops and numbers.

    `width` is how many numbers a token has in each block of keys or values.
    """
    count = len(layout)
    at = list(range(count))
    met: list[list[int]] = [[] for _ in layout]
    pairs: list[list[int]] = [[] for _ in layout]
    hops, sent = [0] * count, [0] * count
    while True:
        for rank, block in enumerate(at):
            met[rank].append(block)
            pairs[rank].append(sum(mask(q, k) for q in layout[rank] for k in layout[block]))
        if all(len(set(blocks)) == count for blocks in met):
            break
        for rank, block in enumerate(at):
            hops[rank] += 1
            sent[rank] += sum(width for _ in layout[block] for _ in ("key", "value"))
        at = [at[rank - 1] for rank in range(count)]
    return Travel(tuple(map(tuple, pairs)), tuple(hops), (0,) * count, tuple(sent))


def head(tokens: int, width: int, seed: int = 1) -> Heads:
    """A head filled with small whole numbers."""
    return Heads(*(numbers(tokens, width, 10 * seed + n) for n in range(4)))


def whole_forward(one: Heads, mask: Mask) -> list[Vector]:
    """The output without any ranks."""
    return _forward(one, [list(range(one.queries.height))], mask)[0]


def ring_forward(one: Heads, layout: Layout, mask: Mask) -> list[list[Vector]]:
    """Each rank's outputs, blocks of keys and values passed from rank to rank."""
    return _forward(one, layout, mask)


def _forward(one: Heads, layout: Layout, mask: Mask) -> list[list[Vector]]:
    count = len(layout)
    blocks = [[(k, one.keys.rows[k], one.values.rows[k]) for k in own] for own in layout]
    top = [[[0] * one.values.columns for _ in own] for own in layout]
    below = [[0 for _ in own] for own in layout]
    for step in range(count):
        for rank, own in enumerate(layout):
            for place, query in enumerate(own):
                for token, key, value in blocks[rank]:
                    if mask(query, token):
                        weight = 1 + _dot(one.queries.rows[query], key) ** 2
                        below[rank][place] += weight
                        for column, part in enumerate(value):
                            top[rank][place][column] += weight * part
        if step + 1 < count:
            blocks = [blocks[rank - 1] for rank in range(count)]
    return [
        [tuple(Fraction(part, divisor) for part in row) for row, divisor in zip(t, b, strict=True)]
        for t, b in zip(top, below, strict=True)
    ]


@dataclass(frozen=True)
class Backward:
    """Gradients of queries, keys and values by token, and what was sent for them."""

    queries: dict[int, Vector]
    keys: dict[int, Vector]
    values: dict[int, Vector]
    travel: Travel


def ring_backward(one: Heads, layout: Layout, mask: Mask) -> Backward:
    """Keys and values go round again, their gradients with them until these are home.

    AssertionError if a gradient does not come home to the rank of its token.
    """
    count, width = len(layout), one.keys.columns
    outputs = [dict(zip(own, found, strict=True))
               for own, found in zip(layout, ring_forward(one, layout, mask), strict=True)]  # fmt: skip
    sums = [_denominators(one, own, mask) for own in layout]
    grad_queries = {token: _zero(width) for own in layout for token in own}
    at = list(range(count))
    carried = [{token: (_zero(width), _zero(width)) for token in own} for own in layout]
    kv_hops, grad_hops, sent = [0] * count, [0] * count, [0] * count
    pairs: list[list[int]] = [[] for _ in layout]
    for step in range(count):
        for rank, own in enumerate(layout):
            done = 0
            for query in own:
                for key in layout[at[rank]]:
                    if mask(query, key):
                        done += 1
                        _add_pair(one, (query, key), outputs[rank][query], sums[rank][query],
                                  grad_queries, carried[rank])  # fmt: skip
            pairs[rank].append(done)
        for rank in range(count):
            if step + 1 < count:
                kv_hops[rank] += 1
                sent[rank] += sum(width for _ in layout[at[rank]] for _ in ("key", "value"))
            if count > 1:
                grad_hops[rank] += 1
                sent[rank] += sum(len(k) + len(v) for k, v in carried[rank].values())
        at = [at[rank - 1] for rank in range(count)]
        carried = [carried[rank - 1] for rank in range(count)]
    if any(set(carried[rank]) != set(own) for rank, own in enumerate(layout)):
        raise AssertionError("A gradient did not come home.")
    home = {token: both for block in carried for token, both in block.items()}
    travel = Travel(tuple(map(tuple, pairs)), tuple(kv_hops), tuple(grad_hops), tuple(sent))
    return Backward(grad_queries, {t: k for t, (k, _) in home.items()},
                    {t: v for t, (_, v) in home.items()}, travel)  # fmt: skip


def _denominators(one: Heads, own: Sequence[int], mask: Mask) -> dict[int, int]:
    keys = range(one.keys.height)
    return {
        q: sum(1 + _dot(one.queries.rows[q], one.keys.rows[k]) ** 2 for k in keys if mask(q, k))
        for q in own
    }


def _add_pair(
    one: Heads, pair: tuple[int, int], output: Vector, below: int,
    grad_queries: dict[int, Vector], carried: dict[int, tuple[Vector, Vector]],
) -> None:  # fmt: skip
    """What one query and one key add to the gradients of both and of the value."""
    query, key = pair
    q, k, v = one.queries.rows[query], one.keys.rows[key], one.values.rows[key]
    grad = one.grads.rows[query]
    score = _dot(q, k)
    moved = sum((g * (p - o) for g, p, o in zip(grad, v, output, strict=True)), Fraction(0))
    slope = 2 * score * moved / below
    weight = Fraction(1 + score**2, below)
    grad_queries[query] = tuple(a + slope * b for a, b in zip(grad_queries[query], k, strict=True))
    keys, values = carried[key]
    carried[key] = (
        tuple(a + slope * b for a, b in zip(keys, q, strict=True)),
        tuple(a + weight * b for a, b in zip(values, grad, strict=True)),
    )


def _dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _zero(width: int) -> Vector:
    return (Fraction(0),) * width
