"""One row a document, for a spreadsheet of a whole class."""

from __future__ import annotations

import csv
from io import StringIO

from workings.check.output.view import View, visible
from workings.check.results import Results, tally
from workings.check.verdicts import VERDICTS, Checked

COLUMNS = (
    "file", "found", "understood", *VERDICTS, "definitions", "ignored", "accepted", "first bad line",
    "notes", "error",
)  # fmt: skip


def csv_rows(results: Results, _view: View) -> str:
    """The counts of every document; one that could not be checked has its reason instead."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(name.replace(" ", "_") for name in COLUMNS)
    for checked in results.checked:
        writer.writerow(_row(checked))
    for failure in results.failures:
        blank = [""] * (len(COLUMNS) - 2)
        writer.writerow([_cell(failure.file), *blank, _cell(failure.reason)])
    return stream.getvalue()


def _row(checked: Checked) -> list[str | int]:
    total = tally(checked)
    first = min((statement.line for statement in checked.wrong), default="")
    verdicts = [total.verdicts[verdict] for verdict in VERDICTS]
    return [_cell(checked.file), total.found, total.understood, *verdicts, total.definitions,
            total.ignored, total.accepted, first, _cell("; ".join(checked.notes)), ""]  # fmt: skip


def _cell(words: str) -> str:
    """Words that no spreadsheet takes for a formula."""
    seen = visible(words)
    return f"'{seen}" if seen.startswith(("=", "+", "-", "@")) else seen
