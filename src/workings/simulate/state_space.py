"""Sequences run through a state, token by token or chunk by chunk, every multiplication counted.

A head's state is a matrix, a row for each number of a key. A token decays it, adds the outer product of
its key and its value, and reads it with its query: `keys` are B of a state-space model, `queries` C,
`values` x, all of whole numbers. Without decays it is linear attention. Both ways give the same output.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from .matmul import Matrix, counted_matmul, ffn_numbers, transpose


@dataclass(frozen=True)
class Head:
    """What a head's tokens bring: a row each of queries, keys and values, and a decay unless None."""

    queries: Matrix
    keys: Matrix
    values: Matrix
    decays: Sequence[int] | None = None


@dataclass(frozen=True)
class Ran:
    """The output, a row a token, the state after the last, and the FLOPs of writing and reading it."""

    output: Matrix
    state: Matrix
    written: int
    read: int


@dataclass(frozen=True)
class Steps:
    """The outputs of the heads of a group, and the FLOPs of each of the four steps over all chunks."""

    outputs: list[Matrix]
    within: int
    states: int
    passed: int
    across: int

    @property
    def flops(self) -> int:
        """All four steps."""
        return self.within + self.states + self.passed + self.across


def make_group(tokens: int, state: int, width: int, heads: int, seed: int = 1) -> list[Head]:
    """Heads with values of their own that share queries and keys, all decaying by small numbers."""
    queries, keys = ffn_numbers(tokens, state, seed), ffn_numbers(tokens, state, seed + 1)
    return [
        Head(
            queries,
            keys,
            ffn_numbers(tokens, width, seed + 2 + head),
            [number or 1 for (number,) in ffn_numbers(tokens, 1, seed + 20 + head)],
        )
        for head in range(heads)
    ]


def by_tokens(head: Head) -> Ran:
    """Token after token: the state decayed, the outer product added, the query's product with it."""
    state: Matrix = [[0] * len(head.values[0]) for _ in head.keys[0]]
    output: Matrix = []
    written = read = 0
    for token, (query, key, value) in enumerate(zip(head.queries, head.keys, head.values, strict=True)):
        if head.decays is not None:
            written += _decay(state, head.decays[token])
        written += _add_product(state, key, value)
        row, flops = counted_matmul([query], state)
        output += row
        read += flops
    return Ran(output, state, written, read)


def by_chunks(group: Sequence[Head], length: int) -> Steps:
    """Chunk after chunk, each as attention within itself and through the state that came before.

    All heads of the group share queries and keys. ValueError if the last chunk is not full.
    """
    tokens = len(group[0].queries)
    if tokens % length:
        raise ValueError("The sequence must be a whole number of chunks.")
    totals = [0, 0, 0, 0]
    carried = [[[0] * len(head.values[0]) for _ in head.keys[0]] for head in group]
    outputs: list[Matrix] = [[] for _ in group]
    for start in range(0, tokens, length):
        chunk = slice(start, start + length)
        table, scored = counted_matmul(group[0].queries[chunk], transpose(group[0].keys[chunk]))
        totals[0] += scored
        for number, head in enumerate(group):
            rows, counts = _one_chunk(head, chunk, table, carried[number])
            outputs[number] += rows
            totals = [total + more for total, more in zip(totals, counts, strict=True)]
    return Steps(outputs, *totals)


def convolve(tokens: Matrix, kernel: Matrix) -> tuple[Matrix, int]:
    """Each channel's last tokens, zeros before the first, times its column of the kernel; the FLOPs."""
    flops = 0
    output: Matrix = []
    padded = [[0] * len(tokens[0]) for _ in kernel[1:]] + tokens
    for place in range(len(tokens)):
        row = [0] * len(tokens[0])
        for weights, seen in zip(kernel, padded[place : place + len(kernel)], strict=True):
            flops += _add_products(row, weights, seen)
        output.append(row)
    return output, flops


def _one_chunk(
    head: Head, chunk: slice, table: Matrix, carried: Matrix
) -> tuple[Matrix, tuple[int, int, int, int]]:
    """A head's output of one chunk and the FLOPs of the four steps; `carried` becomes the next state."""
    decays = list(head.decays or [1] * len(head.queries))[chunk]
    values, places = head.values[chunk], range(len(decays))
    seen = [
        [
            score * prod(decays[key + 1 : query + 1]) if key <= query else 0
            for key, score in enumerate(row)
        ]
        for query, row in enumerate(table)
    ]
    inside, first = counted_matmul(seen, values)
    late = [
        [number * prod(decays[place + 1 :]) for number in head.keys[chunk][place]] for place in places
    ]
    new, second = counted_matmul(transpose(late), values)
    early = [
        [number * prod(decays[: place + 1]) for number in head.queries[chunk][place]] for place in places
    ]
    before, fourth = counted_matmul(early, carried)
    third = _decay(carried, prod(decays)) + _add(carried, new)
    output = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(inside, before, strict=True)]
    return output, (first, second, third, fourth)


def _decay(state: Matrix, by: int) -> int:
    """Multiply every number of the state; the FLOPs."""
    flops = 0
    for row in state:
        for column in range(len(row)):
            row[column] *= by
            flops += 1
    return flops


def _add(state: Matrix, new: Matrix) -> int:
    """Add number by number to the state; the FLOPs."""
    flops = 0
    for row, more in zip(state, new, strict=True):
        for column, number in enumerate(more):
            row[column] += number
            flops += 1
    return flops


def _add_products(row: list[int], weights: Sequence[int], numbers: Sequence[int]) -> int:
    """Add each number times its weight to its place in the row; the FLOPs."""
    flops = 0
    for column, (weight, number) in enumerate(zip(weights, numbers, strict=True)):
        row[column] += weight * number
        flops += 2
    return flops


def _add_product(state: Matrix, key: Sequence[int], value: Sequence[int]) -> int:
    """Add the outer product of a key and a value to the state; the FLOPs."""
    return sum(_add_products(row, [one] * len(value), value) for row, one in zip(state, key, strict=True))
