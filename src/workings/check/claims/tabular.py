"""Tables of a page as rows of lines, one line a cell, and what their heads and first cells say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workings.check.claims.amounts import Amount
from workings.check.claims.page import Line, Page
from workings.check.tables import tables_of

TOTAL = re.compile(r"^\W*(?:grand\s+|sub)?(?:totals?|sum|overall|all|合计|总计|总和|总)\b", re.IGNORECASE)
_SIGNS = re.compile(r"[\s*`_$~≈≃|=:：]|\\approx|\\sim|约")
_DASH = re.compile(r"^\W*$")


@dataclass(frozen=True)
class Table:
    """A table: its head, and its rows below the head."""

    head: list[Line]
    rows: list[list[Line]]

    def column(self, number: int) -> list[Line | None]:
        """The cells below a head; None where a row is too short."""
        return [row[number] if number < len(row) else None for row in self.rows]

    @property
    def width(self) -> int:
        """How many columns the head has."""
        return len(self.head)


def tables(page: Page) -> Iterator[Table]:
    """The tables of a page."""
    for rows in tables_of(page.blocks):
        lines = [[Line(cell, 0, len(cell.text), page.symbols) for cell in row] for row in rows]
        if len(lines) > 1:
            yield Table(lines[0], lines[1:])


def only_amount(line: Line | None) -> Amount | None:
    """The amount of a cell that holds nothing else but a noun."""
    if line is None or len(line.amounts) != 1 or line.amounts[0].kind == "part":
        return None
    amount = line.amounts[0]
    rest = line.text[: amount.start] + line.text[amount.end :]
    words = _SIGNS.sub("", rest)
    return amount if len(words) <= 12 and not any(c in words for c in "/+-<>×") else None


def is_total(line: Line) -> bool:
    """Whether a head or a first cell says that a total follows."""
    return bool(TOTAL.match(line.text))


def is_empty(line: Line) -> bool:
    """Whether a cell holds nothing but dashes."""
    return bool(_DASH.match(line.text))
