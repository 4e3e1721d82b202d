"""What the lists say of each source's formulas and their entries, for the package to read.

Whoever looks for a formula of a source asks in the source's words, which its list has.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from covering.lists import FOLDER, HAS, matches_of, sources
from workings.catalogue.published import PUBLISHED

WRONG = "source wrong"
HEAD = "# What published sources print, and its entries; by `python benchmarks/coverage.py words`.\n\n"


def published(folder: Path = FOLDER) -> Mapping[str, Mapping[str, Any]]:
    """Each source, and of every formula that the catalogue has its place, words and ids."""
    made: dict[str, Mapping[str, Any]] = {}
    for source in sources(folder):
        matches = {one.formula: one for one in matches_of(source.name, folder) or ()}
        rows = []
        for formula in source.formulas:
            match = matches.get(formula.id)
            if match and match.verdict in (*HAS, "part", WRONG) and match.entries:
                ids = " ".join(dict.fromkeys(match.entries.values()))
                wrong = [match.why] if match.verdict == WRONG else []
                rows.append([formula.place, formula.words, ids, *wrong])
        head = {"title": source.title, "authors": source.authors, "year": source.year,
                "where": source.where, "without": len(source.formulas) - len(rows)}  # fmt: skip
        made[source.name] = {**head, "formulas": rows}
    return made


def written() -> str:
    """The file `PUBLISHED` as the lists have it now."""
    return HEAD + tomli_w.dumps(published())


def is_current() -> bool:
    """Whether the file says what the lists say."""
    return PUBLISHED.read_text(encoding="utf-8") == written()
