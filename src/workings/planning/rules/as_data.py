"""Findings as one object for JSON: file, summary, rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from workings.contract import SCHEMA
from workings.planning.rules.finding import Finding, Remedy, tally
from workings.planning.rules.places import NOWHERE
from workings.planning.rules.unchecked import UNCHECKED


def as_dict(findings: Sequence[Finding], file: str, lines: Mapping[str, int] = NOWHERE) -> dict[str, Any]:
    """Every finding, also of rules that hold; values in base units as floats."""
    counts = tally(findings)
    return {
        "schema": SCHEMA,
        "file": file,
        "summary": {"text": str(counts), **asdict(counts)},
        "rules": [_finding(finding, lines.get(finding.rule.id)) for finding in findings],
        "not_checked": [asdict(practice) for practice in UNCHECKED],
    }


def _finding(finding: Finding, line: int | None) -> dict[str, Any]:
    rule = finding.rule
    return {
        "id": rule.id,
        "title": rule.title,
        "outcome": finding.outcome,
        "line": line,
        "severity": rule.severity,
        "condition": rule.condition,
        "when": list(rule.when),
        "at": dict(rule.at),
        "message": finding.message,
        "numbers": _numbers(finding.numbers),
        "mended_by": [_remedy(remedy) for remedy in finding.remedies],
        "reason": rule.reason,
        "derivation": rule.entry or None,
        "source": str(rule.source),
        "url": rule.source.url,
        "text": rule.text or None,
    }


def _remedy(remedy: Remedy) -> dict[str, Any]:
    return {
        "changed": _numbers(remedy.changed),
        "setting": remedy.said or None,
        "device_time_ratio": _number(remedy.time),
        "memory_share": _number(remedy.memory),
        "breaks": list(remedy.breaks),
    }


def _numbers(values: Mapping[str, Fraction]) -> dict[str, int | float | str]:
    return {letter: _number(value) for letter, value in values.items()}


def _number(value: Fraction) -> int | float | str:
    """A number that JSON's readers take; beyond what a float holds, its digits."""
    if value.denominator == 1:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return f"{value.numerator // value.denominator}"
