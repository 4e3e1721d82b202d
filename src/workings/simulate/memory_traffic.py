"""Kernels run between a memory and the units that compute; what crosses is counted value by value.

What a kernel loads it may use as often as it likes; what it stores it must load again.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ._checks import positive_count
from .matmul import Matrix, counted_matmul, ffn_numbers, transpose

Table: TypeAlias = Sequence[Sequence[Fraction | int]]


class Memory:
    """A memory beside a chip, and what happened between them in its order.

    flops: what the chip computed. moved: bytes that went either way.
    """

    def __init__(self) -> None:
        """Start with nothing moved."""
        self.moved = Fraction(0)
        self.flops = 0
        self._events: list[tuple[int, Fraction]] = []

    def load(self, *matrices: Table, width: Fraction | int) -> None:
        """Bring every value of the matrices onto the chip, `width` bytes each."""
        for matrix in matrices:
            for row in matrix:
                size = Fraction(width) * len(row)
                self.moved += size
                self._events.append((0, size))

    store = load
    """Write every value of the matrices back: the memory counts bytes of both ways alike."""

    def compute(self, flops: int) -> None:
        """Have the chip do some operations."""
        self.flops += flops
        self._events.append((flops, Fraction(0)))

    def seconds(self, rate: Fraction, bandwidth: Fraction, *, overlapped: bool) -> Fraction:
        """When everything is computed, at `rate` FLOP/s, and moved, at `bandwidth` bytes/s.

        Overlapped, chip and memory never wait for each other, as if every load were asked for early
        enough; otherwise one thing happens at a time.
        """
        computing = moving = Fraction(0)
        for flops, size in self._events:
            computing += flops / rate
            moving += size / bandwidth
            if not overlapped:  # whoever had nothing to do has waited
                computing = moving = max(computing, moving)
        return max(computing, moving)


def multiply(
    tokens: int, inner: int, outputs: int, a: Fraction | int, w: Fraction | int, a_o: Fraction | int
) -> Memory:
    """Multiply (tokens, inner) by a weight (inner, outputs), everything moved once.

    `a`, `w` and `a_o` are bytes per value of input, weight and output. ValueError if a length is below 1.
    """
    memory = Memory()
    x, weight = ffn_numbers(tokens, inner, 1), ffn_numbers(inner, outputs, 2)
    memory.load(x, width=a)
    memory.load(weight, width=w)
    product, flops = counted_matmul(x, weight)
    memory.compute(flops)
    memory.store(product, width=a_o)
    return memory


def multiply_in_tiles(
    tokens: int, inner: int, outputs: int, a: Fraction | int, w: Fraction | int, a_o: Fraction | int,
    rows: int, columns: int,
) -> tuple[Matrix, Memory]:  # fmt: skip
    """The same product, tile by tile of the output: `rows` tokens by `columns` outputs, or what is left.

    Each tile loads its rows of the input and its columns of the weight anew, and is stored when it is
    finished. Also returns the product. ValueError if a length is below 1.
    """
    memory = Memory()
    x, weight = ffn_numbers(tokens, inner, 1), transpose(ffn_numbers(inner, outputs, 2))
    product: Matrix = [[] for _ in x]
    for right in range(0, outputs, positive_count("columns", columns)):
        theirs = weight[right : right + columns]
        for top in range(0, tokens, positive_count("rows", rows)):
            mine = x[top : top + rows]
            memory.load(mine, width=a)
            memory.load(theirs, width=w)
            tile, flops = counted_matmul(mine, transpose(theirs))
            memory.compute(flops)
            memory.store(tile, width=a_o)
            for place, row in enumerate(tile, top):
                product[place] += row
    return product, memory


def rms_norm(tokens: int, features: int, a: Fraction | int, w: Fraction | int) -> Memory:
    """Divide each token by the root of its mean square, times a gain; each operation is a FLOP.

    The root's reciprocal is one operation, as chips have one for it.
    """
    memory = Memory()
    x, gain = ffn_numbers(tokens, features, 1), ffn_numbers(1, features, 2)
    memory.load(x, width=a)
    memory.load(gain, width=w)
    for row in x:
        total = 0
        for value in row:
            total += value * value
            memory.compute(2)
        memory.compute(3)  # the mean, epsilon added, the root's reciprocal
        for place, value in enumerate(row):
            row[place] = value * total * gain[0][place]  # only their number matters, not the results
            memory.compute(2)
    memory.store(x, width=a)
    return memory


def adam(
    parameters: int, master: Fraction, gradient: Fraction, moment: Fraction, working: Fraction
) -> Memory:
    """Update every parameter with Adam; the arguments are bytes a value of each kind takes.

    Weight, gradient and both moments are read, weight and moments written, and the working copy too.
    """
    memory = Memory()
    weights, gradients = ffn_numbers(1, parameters, 1), ffn_numbers(1, parameters, 2)
    first, second = ffn_numbers(1, parameters, 3), ffn_numbers(1, parameters, 4)
    for i in range(parameters):
        w, g, m, v = ([[values[0][i]]] for values in (weights, gradients, first, second))
        memory.load(w, width=master)
        memory.load(g, width=gradient)
        memory.load(m, v, width=moment)
        m[0][0] += g[0][0] - m[0][0] // 10
        v[0][0] += g[0][0] ** 2 - v[0][0] // 1000
        w[0][0] -= m[0][0] // (1 + abs(v[0][0]))
        memory.store(w, width=master)
        memory.store(m, v, width=moment)
        memory.store(w, width=working)
    return memory


def run_between_products(tokens: int, d_model: int, d_ff: int, matrices: int, width: Fraction) -> Memory:
    """A block's kernels on each value: two norms, the activation function, two residual additions.

    The gains of the norms, small beside the tokens, are not loaded. A gated feed-forward of three
    `matrices` has its activation function and the product with the gate's other half in one kernel.
    """
    memory = Memory()
    x = ffn_numbers(tokens, d_model, 1)
    for part in range(2):  # attention and the feed-forward, each with a norm before and a sum after
        memory.load(x, width=width)
        memory.store(x, width=width)
        if part == 1:
            hidden = [
                ffn_numbers(tokens, d_ff, n) for n in range(positive_count("matrices", matrices) - 1)
            ]
            memory.load(*hidden, width=width)
            memory.store(ffn_numbers(tokens, d_ff, 0), width=width)
        result = ffn_numbers(tokens, d_model, 2)
        memory.load(x, result, width=width)
        x = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x, result, strict=True)]
        memory.store(x, width=width)
    return memory
