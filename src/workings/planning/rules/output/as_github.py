"""GitHub's workflow commands: an annotation on the file for every broken rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workings.planning.rules.finding import Finding, tally
from workings.planning.rules.output.as_text import because
from workings.planning.rules.output.harmless import harmless
from workings.planning.rules.output.places import NOWHERE
from workings.planning.rules.rule import Severity

LEVELS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}


def github(findings: Sequence[Finding], file: str, lines: Mapping[str, int] = NOWHERE) -> str:
    """One command a broken rule, then the count in words, which GitHub leaves in the log."""
    commands = [
        _command(finding, file, lines.get(finding.rule.id, 1)) for finding in findings if finding.broken
    ]
    return "\n".join([*commands, str(tally(findings))]) + "\n"


def _command(finding: Finding, file: str, line: int) -> str:
    rule = finding.rule
    properties = {"file": harmless(file), "line": str(line), "title": f"workings lint: {rule.id}"}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    words = "\n".join((f"{rule.title}.", finding.message, because(rule)))
    return f"::{LEVELS[rule.severity]} {listed}::{_message(words)}"


def _message(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _message(words).replace(":", "%3A").replace(",", "%2C")
