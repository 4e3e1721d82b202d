"""Second moments of a matrix kept as the sums of its rows and columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ._checks import positive_count


@dataclass(frozen=True)
class Factored:
    """Sums of the squares of a matrix: one for each row, one for each column."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def kept(self) -> int:
        """How many numbers are kept."""
        return len(self.rows) + len(self.columns)

    def estimate(self, row: int, column: int) -> Fraction:
        """What the sums say of one square: exact where the squares have rank one."""
        return Fraction(self.rows[row] * self.columns[column], sum(self.rows))


def laid_out(rows: int, columns: int) -> list[list[int]]:
    """A gradient of some small whole numbers, row by row. ValueError if a side is below 1."""
    high, wide = positive_count("rows", rows), positive_count("columns", columns)
    return [[(3 * i + 5 * j) % 7 - 3 for j in range(wide)] for i in range(high)]


def factor(gradient: Sequence[Sequence[int]]) -> Factored:
    """Square every value and add the squares up by rows and by columns."""
    squares = [[value * value for value in row] for row in gradient]
    return Factored(tuple(sum(row) for row in squares), tuple(map(sum, zip(*squares, strict=True))))
