"""GitHub's workflow commands: annotations beside the lines of a pull request."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workings.check.output.view import View, shortened, visible
from workings.check.output.words import details, in_cell, summary
from workings.check.results import Results
from workings.check.verdicts import Checked, Statement, Verdict

_LINE = re.compile(r"line ([0-9]{1,9})\b")
# Any other verdict is a notice.
LEVELS: Mapping[Verdict, str] = {"wrong": "error", "unit": "error", "depends": "warning"}


def github(results: Results, view: View) -> str:
    """One command a statement, then the counts in words, which GitHub leaves in the log."""
    shown = [s for checked in results.checked for s in view.of(checked)]
    notes = [_note(checked, note) for checked in results.checked for note in checked.notes]
    return "\n".join([*map(_command, shown), *notes, summary(results)]) + "\n"


def _note(checked: Checked, note: str) -> str:
    """A remark on a document, at the line it begins with if it does."""
    line = _LINE.match(note)
    properties = {"file": visible(checked.file), **({"line": line[1]} if line else {})}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::notice {listed},title=workings%3A note::{_message(shortened(note, 400))}"


def _command(statement: Statement) -> str:
    properties = {
        "file": visible(statement.file), "line": statement.line, "col": statement.column,
        "endLine": statement.end_line, "title": f"workings: {statement.verdict}{in_cell(statement)}",
    }  # fmt: skip
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    words = [shortened(statement.quote), *(shortened(said, 400) for said in details(statement))]
    return f"::{LEVELS.get(statement.verdict, 'notice')} {listed}::{_message(chr(10).join(words))}"


def _message(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _message(words).replace(":", "%3A").replace(",", "%2C")
