"""Findings as text, JSON, GitHub's annotations and SARIF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from workings.planning.rules.finding import Finding
from workings.planning.rules.output.as_github import github
from workings.planning.rules.output.as_json import as_dict, json_object
from workings.planning.rules.output.as_sarif import sarif
from workings.planning.rules.output.as_text import text
from workings.planning.rules.output.places import NOWHERE, places

# From findings, the name of the file they are about and the lines of broken rules to the output.
FORMATS: Mapping[str, Callable[[Sequence[Finding], str, Mapping[str, int]], str]] = {
    "text": text,
    "json": json_object,
    "github": github,
    "sarif": sarif,
}

__all__ = ["FORMATS", "NOWHERE", "as_dict", "github", "json_object", "places", "sarif", "text"]
