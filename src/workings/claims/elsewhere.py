"""Whether a page says a figure of a grid again, outside of it: then it is hardly the one that slipped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from workings.claims.closeness import stands_for
from workings.claims.digits import same
from workings.claims.grids import Cell, Grid
from workings.marks.lexer import tokens_of
from workings.marks.quantity import Printed
from workings.marks.style import Style
from workings.reading.blocks import Block

FULL = 6  # digits of what is said again in another unit
LEAST = 3  # digits of a figure that two places hardly share by chance


class Elsewhere:
    """The figures of a page, and the blocks that they stand in."""

    def __init__(self, blocks: Sequence[Block], style: Style, grids: Iterable[Grid]) -> None:
        self.near: dict[int, set[int]] = defaultdict(set)
        for grid in grids:
            own = {id(cell.block) for row in grid.rows for cell in row if cell is not None}
            for block_id in own:
                self.near[block_id] |= own
        self.places: dict[Fraction, set[int]] = defaultdict(set)
        for block in blocks:
            for token in tokens_of(block, style):
                if token.kind == "number":
                    for digits in token.numbers:
                        self.places[digits.value].add(id(block))

    def says(self, cell: Cell, value: Fraction | None = None) -> bool:
        """Whether the page says what the cell says, or a value in its place, outside the cell's grid."""
        number = cell.number
        if number is None:
            return False
        digits, scale = number.printed[0], number.units[0].scale
        if scale != 1 and self._in_full(digits.value * scale if value is None else value):
            return True
        shown = digits.value if value is None else round(value / scale / digits.ulp) * digits.ulp
        if significant(shown / digits.ulp) < LEAST:
            return False
        return bool(self.places.get(shown, set()) - self.near[id(cell.block)])

    def _in_full(self, value: Fraction) -> bool:
        """Whether the page says it without a unit, if only in the next row: 150,994,944 for 144 MiB."""
        whole = Fraction(round(value))
        return same(whole, value) and significant(whole) >= FULL and whole in self.places

    def rounds_to(self, digits: Printed) -> bool:
        """Whether a number of the page is what these digits stand for."""
        return any(stands_for(value, digits, LEAST) for value in self.places)


def significant(value: Fraction) -> int:
    """How many digits a whole number has before its end zeros."""
    return len(str(abs(int(value))).rstrip("0"))
