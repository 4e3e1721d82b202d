"""Tables taller than a printed page, in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workings.document.blocks import Table, Text
from workings.document.page import Page


def in_parts(table: Table, page: Page, line: int, tallest: int) -> Iterator[Table]:
    """A table in parts of at most so many rows, each with a number and a label of its own."""
    yield replace(table, rows=table.rows[:tallest])
    for part, start in enumerate(range(tallest, len(table.rows), tallest), 2):
        label, caption = f"{table.label}-{part}", (*table.caption, Text(", continued"))
        number = page.label("table", label, line)
        rows = table.rows[start : start + tallest]
        yield replace(table, label=label, number=number, caption=caption, rows=rows)
