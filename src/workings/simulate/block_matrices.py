"""Matrices of whole numbers that are cut into blocks, multiplied and put together again.

Cuts need not be even: consecutive blocks differ in length by at most one, and a block may be empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add as plus
from operator import mul

from ._checks import positive_count


@dataclass(frozen=True)
class Matrix:
    """Rows of whole numbers; `columns` is their length, also where there are no rows."""

    rows: tuple[tuple[int, ...], ...]
    columns: int

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def elements(self) -> int:
        """How many numbers it holds, counted row by row."""
        return sum(map(len, self.rows))

    @property
    def transposed(self) -> "Matrix":
        """Rows and columns exchanged."""
        rows = tuple(tuple(row[c] for row in self.rows) for c in range(self.columns))
        return Matrix(rows, self.height)


@dataclass(frozen=True)
class BlockProduct:
    """A product summed over blocks: the partial products, their sum, the FLOPs of each rank."""

    partial: tuple[Matrix, ...]
    total: Matrix
    flops: tuple[int, ...]


def numbers(rows: int, columns: int, seed: int) -> Matrix:
    """A matrix of whole numbers from -3 to 3, the same each time for a seed."""
    state = seed % 2147483647 + 1
    values = []
    for _ in range(rows * columns):
        state = state * 48271 % 2147483647
        values.append((state >> 8) % 7 - 3)
    return Matrix(tuple(tuple(values[r * columns : (r + 1) * columns]) for r in range(rows)), columns)


def multiply(a: Matrix, b: Matrix) -> Matrix:
    """The product; ValueError if the shapes do not fit. An empty inner length gives zeros."""
    if a.columns != b.height:
        raise ValueError(f"The inner lengths must be equal, not {a.columns} and {b.height}.")
    others = b.transposed.rows
    rows = tuple(tuple(sum(map(mul, row, column)) for column in others) for row in a.rows)
    return Matrix(rows, b.columns)


def flops_of(a: Matrix, b: Matrix) -> int:
    """A multiplication and an addition for each pair of numbers that meet in `multiply`."""
    return sum(len(row) + len(row) for row in a.rows for _ in range(b.columns))


def add(a: Matrix, b: Matrix) -> Matrix:
    """The sum, number by number; ValueError if the shapes differ."""
    if len(a.rows) != len(b.rows) or a.columns != b.columns:
        raise ValueError("Only matrices of one shape can be added.")
    if not a.rows:
        return a
    return Matrix(tuple(tuple(map(plus, p, q)) for p, q in zip(a.rows, b.rows, strict=True)), a.columns)


def spans(length: int, parts: int) -> list[range]:
    """Consecutive ranges that cover `length`, dealt out so that none is two longer than another."""
    positive_count("parts", parts)
    sizes = [0] * parts
    for place in range(length):
        sizes[place % parts] += 1
    found, start = [], 0
    for size in sizes:
        found.append(range(start, start + size))
        start += size
    return found


def cut_rows(matrix: Matrix, parts: int) -> list[Matrix]:
    """Blocks of consecutive rows."""
    empty = Matrix((), matrix.columns)
    return [pick_rows(matrix, span) if span else empty for span in spans(matrix.height, parts)]


def cut_columns(matrix: Matrix, parts: int) -> list[Matrix]:
    """Blocks of consecutive columns."""
    return [pick_columns(matrix, span) for span in spans(matrix.columns, parts)]


def pick_rows(matrix: Matrix, places: Sequence[int]) -> Matrix:
    """The rows at these places, in this order."""
    return Matrix(tuple(matrix.rows[place] for place in places), matrix.columns)


def pick_columns(matrix: Matrix, places: Sequence[int]) -> Matrix:
    """The columns at these places, in this order."""
    rows = tuple(tuple(row[place] for place in places) for row in matrix.rows)
    return Matrix(rows, len(places))


def stack(blocks: Sequence[Matrix]) -> Matrix:
    """Blocks one below the other."""
    return Matrix(tuple(row for block in blocks for row in block.rows), blocks[0].columns)


def join(blocks: Sequence[Matrix]) -> Matrix:
    """Blocks side by side."""
    rows = zip(*(block.rows for block in blocks), strict=True)
    joined = tuple(tuple(value for part in parts for value in part) for parts in rows)
    return Matrix(joined, sum(block.columns for block in blocks))


def split_inner(a: Matrix, b: Matrix, ranks: int) -> BlockProduct:
    """Rank r multiplies its columns of `a` by its rows of `b`; the partial products are added.

    AssertionError if the sum is not the product of the whole matrices.
    """
    pairs = list(zip(cut_columns(a, ranks), cut_rows(b, ranks), strict=True))
    partial = tuple(multiply(left, right) for left, right in pairs)
    total = partial[0]
    for one in partial[1:]:
        total = add(total, one)
    if total != multiply(a, b):
        raise AssertionError("The sum of the partial products is not the product.")
    return BlockProduct(partial, total, tuple(flops_of(left, right) for left, right in pairs))
