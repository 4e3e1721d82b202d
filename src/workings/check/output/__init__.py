"""What the checker prints: one module a format, each a function of results and a view of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from workings.check.output.as_csv import csv_rows
from workings.check.output.as_github import github
from workings.check.output.as_json import json_object
from workings.check.output.as_markdown import markdown
from workings.check.output.as_sarif import sarif
from workings.check.output.as_text import text
from workings.check.output.view import View
from workings.check.results import Results

Format: TypeAlias = Callable[[Results, View], str]

FORMATS: Mapping[str, Format] = {
    "text": text, "json": json_object, "github": github, "sarif": sarif, "md": markdown,
    "csv": csv_rows,
}  # fmt: skip

__all__ = ["FORMATS", "Format", "View"]
