"""SARIF 2.1.0, which code-scanning tools read: every rule described, a result for each broken one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from workings.planning.rules.finding import Finding, tally
from workings.planning.rules.output.as_text import because
from workings.planning.rules.output.places import NOWHERE

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Sequence[Finding], file: str, lines: Mapping[str, int] = NOWHERE) -> str:
    """One run; rules stand in the order of the findings."""
    run = {
        "tool": {"driver": {"name": "workings", "rules": [_rule(f) for f in findings]}},
        "invocations": [
            {"executionSuccessful": True, "toolExecutionNotifications": [_summary(findings)]}
        ],
        "results": [
            _result(f, place, file, lines.get(f.rule.id, 1))
            for place, f in enumerate(findings)
            if f.broken
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(finding: Finding) -> dict[str, Any]:
    rule = finding.rule
    return {
        "id": rule.id,
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": _message(f"{rule.condition}: {because(rule)}.")},
        "helpUri": rule.source.url,
        "defaultConfiguration": {"level": rule.severity},
    }


def _summary(findings: Sequence[Finding]) -> dict[str, Any]:
    return {"level": "note", "message": {"text": str(tally(findings))}}


def _result(finding: Finding, place: int, file: str, line: int) -> dict[str, Any]:
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": place,
        "level": finding.rule.severity,
        "message": {"text": _message(finding.message)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(file)},
                    "region": {"startLine": line},
                }
            }
        ],
        "partialFingerprints": {"workingsRule/v1": finding.rule.id},
    }


def _message(words: str) -> str:
    """A message in SARIF's own notation: braces doubled, nothing that it takes for a link."""
    return words.replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _uri(file: str) -> str:
    path = Path(file)
    address = quote(path.as_posix().encode("utf-8", "backslashreplace"))
    return f"file://{address}" if path.is_absolute() else address
