"""Matrix products of integers in which every multiplication and addition is counted.

A matrix is a list of rows. The layers are linear, without an activation function between:
hidden = x @ w_in, output = hidden @ w_out, with x (tokens, d_model), w_in (d_model, d_ff)
and w_out (d_ff, d_model).
"""

from dataclasses import dataclass
from typing import TypeAlias

from ._checks import positive_count

Matrix: TypeAlias = list[list[int]]


@dataclass(frozen=True)
class Forward:
    """hidden (tokens, d_ff), output (tokens, d_model), and the FLOPs of both matmuls."""

    hidden: Matrix
    output: Matrix
    flops: int


@dataclass(frozen=True)
class Backward:
    """The gradients, each of the shape of what it belongs to, and the FLOPs of all matmuls."""

    grad_x: Matrix
    grad_w_in: Matrix
    grad_w_out: Matrix
    flops: int


def counted_matmul(a: Matrix, b: Matrix) -> tuple[Matrix, int]:
    """Multiply a (rows, inner) by b (inner, columns); return the product and the FLOPs.

    Each multiplication is one FLOP and each addition into the accumulator, which starts at
    zero, is one more. ValueError if a matrix is empty or ragged or the shapes do not fit.
    """
    _, inner = _shape(a)
    b_rows, _ = _shape(b)
    if inner != b_rows:
        raise ValueError(f"The inner lengths must be equal, not {inner} and {b_rows}.")
    flops = 0
    result: Matrix = []
    columns = transpose(b)
    for row in a:
        result_row: list[int] = []
        for column in columns:
            accumulator = 0
            for one, other in zip(row, column, strict=True):
                accumulator += one * other
                flops += 2  # the multiplication and the addition
            result_row.append(accumulator)
        result.append(result_row)
    return result, flops


def ffn_forward(x: Matrix, w_in: Matrix, w_out: Matrix) -> Forward:
    """Run both layers forwards; ValueError if the shapes do not fit."""
    hidden, flops_in = counted_matmul(x, w_in)
    output, flops_out = counted_matmul(hidden, w_out)
    return Forward(hidden, output, flops_in + flops_out)


def ffn_backward(x: Matrix, hidden: Matrix, w_in: Matrix, w_out: Matrix, grad_output: Matrix) -> Backward:
    """Run both layers backwards, given the gradient of the output (tokens, d_model).

    Each layer takes two matmuls, one for the gradient of its weight and one for that of its
    input. `x` and `hidden` are the saved inputs of the two layers; nothing is recomputed.
    ValueError if the shapes do not fit.
    """
    grad_w_out, flops_1 = counted_matmul(transpose(hidden), grad_output)
    grad_hidden, flops_2 = counted_matmul(grad_output, transpose(w_out))
    grad_w_in, flops_3 = counted_matmul(transpose(x), grad_hidden)
    grad_x, flops_4 = counted_matmul(grad_hidden, transpose(w_in))
    return Backward(grad_x, grad_w_in, grad_w_out, flops_1 + flops_2 + flops_3 + flops_4)


def transpose(matrix: Matrix) -> Matrix:
    """Exchange rows and columns; ValueError if it is empty or ragged."""
    _shape(matrix)
    return [list(column) for column in zip(*matrix, strict=True)]


def ffn_numbers(rows: int, cols: int, seed: int) -> Matrix:
    """Fill a (rows, cols) matrix with integers from -3 to 3, the same each time for a seed.

    ValueError if `rows` or `cols` is below 1.
    """
    positive_count("rows", rows)
    positive_count("cols", cols)
    state = seed % (1 << 31)
    matrix: Matrix = []
    for _ in range(rows):
        row: list[int] = []
        for _ in range(cols):
            state = (state * 1103515245 + 12345) % (1 << 31)
            row.append((state >> 16) % 7 - 3)
        matrix.append(row)
    return matrix


def _shape(matrix: Matrix) -> tuple[int, int]:
    """Return (rows, columns); ValueError if the matrix is empty or ragged."""
    if not matrix or not matrix[0]:
        raise ValueError("A matrix must have at least one row and one column.")
    if len(set(map(len, matrix))) != 1:
        raise ValueError("All rows of a matrix must have the same length.")
    return len(matrix), len(matrix[0])
