"""The forward pass of one block on a mesh X (FSDP) by Y (tensor parallel), really computed.

Layout, where the index names the axis that splits a dimension:

    In[B_X, D_Y]   W_in[D_X, F_Y]   W_out[F_Y, D_X]   Out[B_X, D_Y]

with B tokens, D = d_model and F = d_ff. Each device (i, j), rank i along X and rank j
along Y, does the following.

1. All-gather W_in and W_out along X: it has W_in[D, F_Y] and W_out[F_Y, D].
2. All-gather the input along Y: it has In[B_X, D].
3. Multiply: hidden[B_X, F_Y], then a partial sum of Out[B_X, D].
4. Reduce-scatter the partial sums along Y: it has Out[B_X, D_Y].

Matrices of small integers are sharded and moved hop by hop, and the output is compared with
that of an unsharded block. What is counted is elements and FLOPs of these real matrices.

Dimensions that the mesh does not divide are rounded up until it does, and the counts are
scaled back by the exact ratio. This is exact because each count is proportional to each
dimension it depends on, for a fixed mesh: FLOPs to B, D and F; bytes along X, which are of
weights, to D and F but not to B; bytes along Y, of activations, to B and D but not to F.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add
from typing import TypeAlias

from ._checks import positive_amount, positive_count
from ._walks import gather_walk, reduce_scatter_walk
from .matmul import Matrix, counted_matmul, ffn_forward, ffn_numbers

Device: TypeAlias = tuple[int, int]
Grid: TypeAlias = dict[Device, Matrix]
Tallies: TypeAlias = dict[Device, Counter[str]]


@dataclass(frozen=True)
class MeshCount:
    """Counts of one device; all devices have the same.

    flops: multiplications and additions of the two matmuls (the additions inside the
    reduce-scatter are not counted).
    sent_x, sent_y: bytes the device sends along the axis.
    whole_x, whole_y: bytes of the whole messages of the axis, the device's own chunk
    included: what is present after each all-gather, and before each reduce-scatter.
    They are not zero on an axis of one device, on which nothing is sent.
    """

    flops: Fraction
    sent_x: Fraction
    sent_y: Fraction
    whole_x: Fraction
    whole_y: Fraction


def forward_block(
    tokens: int,
    d_model: int,
    d_ff: int,
    x: int,
    y: int,
    bytes_weight: Fraction | int,
    bytes_activation: Fraction | int,
) -> MeshCount:
    """Run one block forwards on x times y devices and count, per device.

    `bytes_weight` and `bytes_activation` are bytes per value. ValueError if a count is
    below 1 or bytes are not above 0; AssertionError if the sharded result is wrong.
    """
    for name, count in (("tokens", tokens), ("d_model", d_model), ("d_ff", d_ff)):
        positive_count(name, count)
    per_weight = positive_amount("bytes_weight", bytes_weight)
    per_activation = positive_amount("bytes_activation", bytes_activation)
    run_b = _round_up(tokens, positive_count("x", x))
    run_f = _round_up(d_ff, positive_count("y", y))
    run_d = _round_up(d_model, x, y)
    tally = _run(run_b, run_d, run_f, x, y)
    back_b, back_d = Fraction(tokens, run_b), Fraction(d_model, run_d)
    back_f = Fraction(d_ff, run_f)
    weights = per_weight * back_d * back_f
    activations = per_activation * back_b * back_d
    return MeshCount(
        flops=tally["flops"] * back_b * back_d * back_f,
        sent_x=tally["sent_x"] * weights,
        sent_y=tally["sent_y"] * activations,
        whole_x=tally["whole_x"] * weights,
        whole_y=tally["whole_y"] * activations,
    )


def _round_up(length: int, *parts: int) -> int:
    """Find the smallest length, from `length` on, that each of `parts` divides."""
    while any(length % part for part in parts):
        length += 1
    return length


def _run(tokens: int, d_model: int, d_ff: int, x: int, y: int) -> Counter[str]:
    """Run forwards at sizes that divide; return elements and FLOPs counted on one device."""
    inputs = ffn_numbers(tokens, d_model, 1)
    w_in = ffn_numbers(d_model, d_ff, 2)
    w_out = ffn_numbers(d_ff, d_model, 3)
    devices = [(i, j) for i in range(x) for j in range(y)]
    tallies: Tallies = {device: Counter() for device in devices}
    columns = [[(i, j) for i in range(x)] for j in range(y)]
    rows = [[(i, j) for j in range(y)] for i in range(x)]

    # _cut splits rows by the first axis named; W_out has its rows on Y and columns on X.
    w_out_cut = {(i, j): shard for (j, i), shard in _cut(w_out, y, x).items()}
    gathered_in = _gather(_cut(w_in, x, y), columns, "x", _stack, tallies)
    gathered_out = _gather(w_out_cut, columns, "x", _join, tallies)
    gathered_inputs = _gather(_cut(inputs, x, y), rows, "y", _join, tallies)
    partial: Grid = {}
    for device in devices:
        hidden, flops_in = counted_matmul(gathered_inputs[device], gathered_in[device])
        partial[device], flops_out = counted_matmul(hidden, gathered_out[device])
        tallies[device]["flops"] += flops_in + flops_out
    outputs = _reduce_scatter(partial, rows, "y", tallies)

    sharded = _stack([_join([outputs[device] for device in row]) for row in rows])
    if sharded != ffn_forward(inputs, w_in, w_out).output:
        raise AssertionError("The sharded output differs from the unsharded one.")
    if any(tally != tallies[0, 0] for tally in tallies.values()):
        raise AssertionError("The devices have different counts.")
    return tallies[0, 0]


def _gather(
    grid: Grid,
    lines: Sequence[Sequence[Device]],
    axis: str,
    assemble: Callable[[Sequence[Matrix]], Matrix],
    tallies: Tallies,
) -> Grid:
    """All-gather the shards of `grid` along each line of devices; count elements."""
    gathered: Grid = {}
    for line in lines:
        walk = gather_walk([grid[device] for device in line])
        for rank, device in enumerate(line):
            gathered[device] = assemble(walk.held[rank])
            tallies[device]["sent_" + axis] += sum(map(_elements, walk.sent[rank]))
            tallies[device]["whole_" + axis] += _elements(gathered[device])
    return gathered


def _reduce_scatter(grid: Grid, lines: Sequence[Sequence[Device]], axis: str, tallies: Tallies) -> Grid:
    """Reduce-scatter column pieces of `grid` along each line of devices; count elements."""
    reduced: Grid = {}
    for line in lines:
        pieces = [_cut_columns(grid[device], len(line)) for device in line]
        walk = reduce_scatter_walk(pieces, _add)
        for rank, device in enumerate(line):
            (reduced[device],) = walk.held[rank]
            tallies[device]["sent_" + axis] += sum(map(_elements, walk.sent[rank]))
            tallies[device]["whole_" + axis] += _elements(grid[device])
    return reduced


def _cut(matrix: Matrix, row_parts: int, column_parts: int) -> Grid:
    """Cut into equal shards; the key is (index of the row part, index of the column part)."""
    height = len(matrix) // row_parts
    shards: Grid = {}
    for r in range(row_parts):
        band = matrix[r * height : (r + 1) * height]
        for c, piece in enumerate(_cut_columns(band, column_parts)):
            shards[r, c] = piece
    return shards


def _cut_columns(matrix: Matrix, parts: int) -> list[Matrix]:
    """Cut into `parts` equal pieces side by side."""
    width = len(matrix[0]) // parts
    return [[row[c * width : (c + 1) * width] for row in matrix] for c in range(parts)]


def _stack(pieces: Sequence[Matrix]) -> Matrix:
    """Put pieces one below the other."""
    return [row for piece in pieces for row in piece]


def _join(pieces: Sequence[Matrix]) -> Matrix:
    """Put pieces side by side."""
    return [[value for part in parts for value in part] for parts in zip(*pieces, strict=True)]


def _add(a: Matrix, b: Matrix) -> Matrix:
    """Add two matrices, element by element."""
    return [list(map(add, *rows)) for rows in zip(a, b, strict=True)]


def _elements(matrix: Matrix) -> int:
    """Count the elements, row by row."""
    return sum(map(len, matrix))
