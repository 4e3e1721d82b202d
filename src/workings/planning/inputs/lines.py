"""On which line of a TOML file a key stands, for tools that mark a place in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_NAME = rf"({_PART}(?:[ \t]*\.[ \t]*{_PART})*)"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*{_NAME}[ \t]*\]")
_KEY = re.compile(rf"[ \t]*{_NAME}[ \t]*=")
_STRING = r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
# A text of several lines may end in two quotes of its own before the three that close it.
_TOKENS = re.compile(
    rf"""(?P<text>\"{{3}}(?:[^\\]|\\.)*?\"{{3,5}}|'{{3}}.*?'{{3,5}}|#[^\n]*)|{_STRING}""", re.DOTALL
)


def lines_of(text: str) -> Mapping[str, int]:
    """The line of every table and key, from 1; of a list of tables the second is `tier 2`.

    Only places are read, no values; the text is valid TOML.
    """
    found: dict[str, int] = {}
    counted: Counter[str] = Counter()
    table = ""
    for number, line in _statements(text):
        if header := _HEADER.match(line):
            table = _plain(header[2])
            if header[1] == "[[":
                counted[table] += 1
                table = f"{table} {counted[table]}"
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault(f"{table}.{_plain(key[1])}".strip("."), number)
    return found


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Lines that begin a table or a key: none inside a text or a list of several lines."""
    bare = _TOKENS.sub(lambda token: "\n" * token[0].count("\n") if token["text"] else token[0], text)
    depth = 0
    for number, line in enumerate(bare.split("\n"), 1):  # TOML knows no other ends of a line
        if not depth:
            yield number, line
        marks = re.sub(_STRING, "", line)
        depth += sum(marks.count(mark) for mark in "[{") - sum(marks.count(mark) for mark in "]}")


def line_of(lines: Mapping[str, int], key: str) -> int | None:
    """The line of a key, or of the table around it; None where neither stands in the file."""
    while key:
        if key in lines:
            return lines[key]
        key = key.rpartition(".")[0]
    return None


def _plain(name: str) -> str:
    return name.translate(str.maketrans("", "", "\"' \t"))
