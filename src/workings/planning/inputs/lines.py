"""On which line of a TOML file a key stands, for tools that mark a place in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\- \"']+?)\s*\]")
_KEY = re.compile(r"\s*([\w.\-\"']+)\s*=")


def lines_of(text: str) -> Mapping[str, int]:
    """The line of every table and key, from 1; of a list of tables the second is `tier 2`.

    Only places are read, no values: a key inside a text of several lines counts as one.
    """
    found: dict[str, int] = {}
    counted: Counter[str] = Counter()
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _plain(header[2])
            if header[1] == "[[":
                counted[table] += 1
                table = f"{table} {counted[table]}"
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault(f"{table}.{_plain(key[1])}".strip("."), number)
    return found


def line_of(lines: Mapping[str, int], key: str) -> int | None:
    """The line of a key, or of the table around it; None where neither stands in the file."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition(".")[0]
    return None


def _plain(name: str) -> str:
    return name.translate(str.maketrans("", "", "\"' "))
