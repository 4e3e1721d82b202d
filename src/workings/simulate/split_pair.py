"""Two weights with ReLU between, split over ranks in either order.

Column then row: each rank has columns of the first weight and the matching rows of the second, so
its columns of the hidden values are all that it needs. Row then column: each rank has rows of the
first weight, whose products must be summed before ReLU, and columns of the second.
"""

from .block_matrices import Matrix, cut_columns, cut_rows, multiply
from .tensor_ranks import Ranks

Pair = tuple[Matrix, Matrix]


def column_then_row(ranks: Ranks, x: Matrix, weights: Pair) -> list[Matrix]:
    """Run the pair; every rank ends with the whole output. AssertionError if it is wrong."""
    everywhere = [x] * ranks.count
    up, down = cut_columns(weights[0], ranks.count), cut_rows(weights[1], ranks.count)
    wide = ranks.multiply("first", everywhere, up, ("x", "weight"), "wide")
    partial = ranks.multiply("second", [relu(one) for one in wide], down, ("wide", "weight"), "partial")
    return _checked(ranks.all_reduce("second", partial, "partial", "output"), x, weights)


def row_then_column(ranks: Ranks, x: Matrix, weights: Pair) -> list[Matrix]:
    """Run the pair; every rank ends with the whole output. AssertionError if it is wrong."""
    up, down = cut_rows(weights[0], ranks.count), cut_columns(weights[1], ranks.count)
    partial = ranks.multiply("first", cut_columns(x, ranks.count), up, ("x", "weight"), "partial")
    wide = ranks.all_reduce("first", partial, "partial", "wide")
    narrow = ranks.multiply("second", [relu(one) for one in wide], down, ("wide", "weight"), "narrow")
    return _checked(ranks.gather_columns("second", narrow, "narrow", "output"), x, weights)


def relu(matrix: Matrix) -> Matrix:
    """Negative numbers become 0."""
    return Matrix(tuple(tuple(max(0, v) for v in row) for row in matrix.rows), matrix.columns)


def _checked(held: list[Matrix], x: Matrix, weights: Pair) -> list[Matrix]:
    whole = multiply(relu(multiply(x, weights[0])), weights[1])
    if any(one != whole for one in held):
        raise AssertionError("A rank's output is not that of the whole weights.")
    return held
