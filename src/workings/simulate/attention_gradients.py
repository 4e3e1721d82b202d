"""The backward pass of attention between a memory and a chip, with scores in memory and without.

The softmax has powers of 2, as in `attention_kernels`, and every number stays exact. Gradients of queries
and keys lack the factor ln 2 that the derivative of such a power has. FLOPs are those of the matrix
products alone.
"""

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from ._checks import positive_count
from .attention_kernels import scores
from .matmul import Matrix
from .memory_traffic import Memory, Table

Rows: TypeAlias = list[list[Fraction]]


class Gradients(NamedTuple):
    """Of queries, keys and values, each (tokens, width of a head)."""

    queries: Rows
    keys: Rows
    values: Rows


def standard_backward(
    queries: Matrix, keys: Matrix, values: Matrix, gradient: Matrix, width: Fraction | int = 1
) -> tuple[Gradients, Memory]:
    """Five kernels, one a product and one for the softmax; `gradient` is that of the output.

    The weights of the forward pass lie in memory; each table is stored by the kernel that makes it and
    loaded by each that needs it.
    """
    memory = Memory()
    weights = [_weights(row) for row in scores(queries, keys)]
    memory.load(weights, gradient, width=width)
    of_values = _product(memory, _turned(weights), gradient)
    memory.store(of_values, width=width)
    memory.load(gradient, values, width=width)
    of_weights = _product(memory, gradient, _turned(values))
    memory.store(of_weights, width=width)
    memory.load(weights, of_weights, width=width)
    of_scores = [
        [w * (g - sum(a * b for a, b in zip(row, theirs, strict=True)))
         for w, g in zip(row, theirs, strict=True)]
        for row, theirs in zip(weights, of_weights, strict=True)
    ]  # fmt: skip
    memory.store(of_scores, width=width)
    memory.load(of_scores, keys, width=width)
    of_queries = _product(memory, of_scores, keys)
    memory.store(of_queries, width=width)
    memory.load(of_scores, queries, width=width)
    of_keys = _product(memory, _turned(of_scores), queries)
    memory.store(of_keys, width=width)
    return Gradients(of_queries, of_keys, of_values), memory


def flash_backward(
    queries: Matrix, keys: Matrix, values: Matrix, gradient: Matrix, block: int,
    width: Fraction | int = 1, *, causal: bool = False,
) -> tuple[Gradients, Memory]:  # fmt: skip
    """FlashAttention's backward: `block` keys and values on the chip, all queries past them.

    For each block every query comes with its output, that one's gradient, its own gradient so far and its
    two statistics; its weights are computed again from its scores, and its gradient is stored. A causal
    query meets the keys up to its own. ValueError if `block` is below 1.
    """
    memory, length = Memory(), len(queries[0])
    kept = [_kept(queries, keys, values, place, causal=causal) for place in range(len(queries))]
    of_queries: Rows = [[Fraction(0)] * length for _ in queries]
    of_keys: Rows = []
    of_values: Rows = []
    for start in range(0, len(keys), positive_count("block", block)):
        some, theirs = keys[start : start + block], values[start : start + block]
        memory.load(some, theirs, width=width)
        for_keys, for_values = ([[Fraction(0)] * length for _ in some] for _ in range(2))
        for place, (query, out) in enumerate(zip(queries, gradient, strict=True)):
            output, largest, total = kept[place]
            memory.load([query], [output], [out], [of_queries[place]], width=width)
            memory.load([[largest, total]], width=width)
            seen = max(0, place + 1 - start) if causal else len(some)
            near, far = some[:seen], theirs[:seen]
            row = _product(memory, [query], _turned(near))[0] if near else []
            weights = [Fraction(2) ** int(score - largest) / total for score in row]
            of_weights = _product(memory, [out], _turned(far))[0] if far else []
            drop = sum((a * b for a, b in zip(out, output, strict=True)), Fraction(0))
            of_scores = [w * (g - drop) for w, g in zip(weights, of_weights, strict=True)]
            if near:
                _add([of_queries[place]], _product(memory, [of_scores], near))
                _add(for_keys, _product(memory, [[one] for one in of_scores], [query]))
                _add(for_values, _product(memory, [[one] for one in weights], [out]))
            memory.store([of_queries[place]], width=width)
        memory.store(for_keys, for_values, width=width)
        of_keys += for_keys
        of_values += for_values
    return Gradients(of_queries, of_keys, of_values), memory


def _kept(
    queries: Matrix, keys: Matrix, values: Matrix, place: int, *, causal: bool
) -> tuple[list[Fraction], int, Fraction]:
    """What the forward pass leaves of a query: its output, its largest score, the sum of its powers."""
    seen = place + 1 if causal else len(keys)
    row = scores([queries[place]], keys[:seen])[0]
    total = sum((Fraction(2) ** (score - max(row)) for score in row), Fraction(0))
    columns = zip(*values[:seen], strict=True)
    output = [sum((w * v for w, v in zip(_weights(row), c, strict=True)), Fraction(0)) for c in columns]
    return output, max(row), total


def _weights(row: list[int]) -> list[Fraction]:
    powers = [Fraction(2) ** (score - max(row)) for score in row]
    return [power / sum(powers) for power in powers]


def _product(memory: Memory, left: Table, right: Table) -> Rows:
    """Multiply on the chip, each multiply and each add a FLOP."""
    result: Rows = []
    for row in left:
        made = []
        for column in zip(*right, strict=True):
            total = Fraction(0)
            for one, other in zip(row, column, strict=True):
                total += one * other
                memory.compute(2)
            made.append(total)
        result.append(made)
    return result


def _turned(table: Table) -> list[list[Fraction | int]]:
    return [list(column) for column in zip(*table, strict=True)]


def _add(rows: Rows, more: Rows) -> None:
    """Add to the first rows in place."""
    for row, theirs in zip(rows, more, strict=False):
        row[:] = [one + other for one, other in zip(row, theirs, strict=True)]
