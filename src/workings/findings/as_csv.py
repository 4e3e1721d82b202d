"""Rows for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from workings.findings.finding import Report, Row
from workings.findings.visible import Paint, unpainted, visible

_FORMULA = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}",
            "\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}")  # fmt: skip


def csv_rows(report: Report, _paint: Paint = unpainted) -> str:
    """The table of a report, its head first."""
    return csv_text(report.table())


def csv_text(rows: Sequence[Row]) -> str:
    """Rows of which nothing acts in a spreadsheet."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow(_cell(cell) if isinstance(cell, str) else cell for cell in row)
    return stream.getvalue()


def _cell(words: str) -> str:
    """Words that no spreadsheet takes for a formula."""
    seen = visible(words)
    return f"'{seen}" if seen.startswith(_FORMULA) else seen
