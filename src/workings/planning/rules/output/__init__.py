"""Findings as text, JSON, GitHub's annotations and SARIF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from workings.planning.rules.finding import Finding
from workings.planning.rules.output.as_github import github
from workings.planning.rules.output.as_json import json_object
from workings.planning.rules.output.as_sarif import sarif
from workings.planning.rules.output.as_text import text

# From findings and the name of the file they are about to the whole output.
FORMATS: Mapping[str, Callable[[Sequence[Finding], str], str]] = {
    "text": text,
    "json": json_object,
    "github": github,
    "sarif": sarif,
}

__all__ = ["FORMATS", "github", "json_object", "sarif", "text"]
