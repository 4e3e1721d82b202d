"""Kernels of attention between a memory and a chip, with scores in memory and without.

Their softmax has powers of 2 for those of e: scores that are whole numbers keep it exact, and two ways of
computing it can be compared to the last digit.
"""

from collections.abc import Collection
from fractions import Fraction
from typing import TypeAlias

from ._checks import positive_count
from .matmul import Matrix, counted_matmul, ffn_numbers, transpose
from .memory_traffic import Memory

Rows: TypeAlias = list[list[Fraction]]


def scores(queries: Matrix, keys: Matrix) -> Matrix:
    """The product of each query with each key."""
    return counted_matmul(queries, transpose(keys))[0]


def standard_attention(
    queries: Matrix, keys: Matrix, values: Matrix, width: Fraction | int = 1
) -> tuple[Rows, Memory]:
    """Attention whose scores and weights go to memory and back; the output, and what moved."""
    memory = Memory()
    memory.load(queries, keys, width=width)
    table = scores(queries, keys)
    memory.store(table, width=width)
    memory.load(table, width=width)
    weights = [_softmax(row) for row in table]
    memory.store(weights, width=width)
    memory.load(weights, values, width=width)
    output = [[_dot(row, column) for column in zip(*values, strict=True)] for row in weights]
    memory.store(output, width=width)
    return output, memory


def flash_attention(
    queries: Matrix, keys: Matrix, values: Matrix, block: int, width: Fraction | int = 1,
    masked: Collection[tuple[int, int]] = (),
) -> tuple[Rows, Memory]:  # fmt: skip
    """FlashAttention's forward pass: `block` keys and values on the chip, all queries past them.

    For each block every query, its output so far, its largest score and the sum of its weights are
    loaded, and the last three stored again; nothing of what is `masked`, pairs of a query's place and
    the number of a block. ValueError if `block` is below 1.
    """
    memory = Memory()
    rows = [_Row(len(values[0])) for _ in queries]
    for number, start in enumerate(range(0, len(keys), positive_count("block", block))):
        some, theirs = keys[start : start + block], values[start : start + block]
        memory.load(some, theirs, width=width)
        for place, (query, row) in enumerate(zip(queries, rows, strict=True)):
            if (place, number) in masked:
                continue
            memory.load([query], [row.output], [row.statistics], width=width)
            row.see(scores([query], some)[0], theirs)
            memory.store([row.output], [row.statistics], width=width)
    return [row.output for row in rows], memory


def flash_attention_2(
    queries: Matrix, keys: Matrix, values: Matrix, block: int, width: Fraction | int = 1
) -> tuple[Rows, Memory]:
    """FlashAttention-2's forward pass: `block` queries on the chip, all keys and values past them.

    Outputs stay on the chip until they are finished; then they are stored, with one number a row. Keys
    come one by one, as the size of their blocks does not change what moves. ValueError if `block` is
    below 1.
    """
    memory = Memory()
    output: Rows = []
    for start in range(0, len(queries), positive_count("block", block)):
        some = queries[start : start + block]
        rows = [_Row(len(values[0])) for _ in some]
        memory.load(some, width=width)
        for key, value in zip(keys, values, strict=True):
            memory.load([key], [value], width=width)
            for query, row in zip(some, rows, strict=True):
                row.see(scores([query], [key])[0], [value])
        memory.store([row.output for row in rows], [[row.total] for row in rows], width=width)
        output += [row.output for row in rows]
    return output, memory


class _Row:
    """A query's output so far, with the largest score seen and the sum of the weights."""

    def __init__(self, length: int) -> None:
        self.output = [Fraction(0)] * length
        self.largest = 0
        self.total = Fraction(0)

    @property
    def statistics(self) -> list[Fraction]:
        return [Fraction(self.largest), self.total]

    def see(self, row: list[int], values: Matrix) -> None:
        """Take in the scores of some keys, and the values that belong to them."""
        top = max(*row, self.largest) if self.total else max(row)
        weights = [Fraction(2) ** (score - top) for score in row]
        kept = self.total * Fraction(2) ** (self.largest - top)
        self.total, self.largest = kept + sum(weights), top
        self.output = [
            (kept * old + _dot(weights, column)) / self.total
            for old, column in zip(self.output, zip(*values, strict=True), strict=True)
        ]


def _softmax(row: list[int]) -> list[Fraction]:
    powers = [Fraction(2) ** (score - max(row)) for score in row]
    return [power / sum(powers) for power in powers]


def _dot(weights: list[Fraction], column: tuple[int, ...]) -> Fraction:
    return sum((w * v for w, v in zip(weights, column, strict=True)), Fraction(0))


def fused_attention(
    queries: int, keys: int, heads: int, kv_heads: int, head_dim: int, width: Fraction | int
) -> Memory:
    """Attention of one sequence with every tensor moved once; scores never leave the chip.

    Heads that share keys and values are loaded together with them. `heads` is a multiple of `kv_heads`.
    """
    memory = Memory()
    for group in range(kv_heads):
        k, v = ffn_numbers(keys, head_dim, group), ffn_numbers(keys, head_dim, group + 1)
        memory.load(k, v, width=width)
        for head in range(group, heads, kv_heads):
            q = ffn_numbers(queries, head_dim, head)
            memory.load(q, width=width)
            table, flops = counted_matmul(q, transpose(k))
            output, more = counted_matmul(table, v)
            memory.compute(flops + more)
            memory.store(output, width=width)
    return memory
