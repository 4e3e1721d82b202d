"""Rows for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from workings.findings.finding import Report
from workings.findings.visible import Paint, unpainted, visible


def csv_rows(report: Report, _paint: Paint = unpainted) -> str:
    """The table of a report, its head first."""
    return rows_as_csv(report.table())


def rows_as_csv(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV of which no spreadsheet takes a word for a formula."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        writer.writerow(_cell(cell) if isinstance(cell, str) else cell for cell in row)
    return stream.getvalue()


def _cell(words: str) -> str:
    """Words that no spreadsheet takes for a formula."""
    seen = visible(words)
    return f"'{seen}" if seen.startswith(("=", "+", "-", "@")) else seen
