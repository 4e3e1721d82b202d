"""GitHub's workflow commands: annotations beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Mapping

from workings.check.output.view import View, shortened, visible
from workings.check.output.words import details, summary
from workings.check.results import Results
from workings.check.verdicts import Statement, Verdict

# Any other verdict is a notice.
LEVELS: Mapping[Verdict, str] = {"wrong": "error", "unit": "error", "depends": "warning"}


def github(results: Results, view: View) -> str:
    """One command a statement, then the counts in words, which GitHub leaves in the log."""
    shown = [s for checked in results.checked for s in view.of(checked)]
    return "\n".join([*map(_command, shown), summary(results)]) + "\n"


def _command(statement: Statement) -> str:
    properties = {
        "file": visible(statement.file), "line": statement.line, "col": statement.column,
        "endLine": statement.end_line, "title": f"workings: {statement.verdict}",
    }  # fmt: skip
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    words = [shortened(statement.quote), *(shortened(said, 400) for said in details(statement))]
    return f"::{LEVELS.get(statement.verdict, 'notice')} {listed}::{_message(chr(10).join(words))}"


def _message(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _message(words).replace(":", "%3A").replace(",", "%2C")
