"""Comments in a document that silence the checker: `workings: ignore`.

On the line of a statement, or alone on the line before it or before a displayed formula,
`workings: ignore` leaves the statement out; `workings: ignore wrong, table-total` only where it has such
a verdict or is judged by such a rule.
`workings: ignore-file` speaks for the whole document. A reason may follow after two dashes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import TypeAlias

from workings.check.rules import every_rule
from workings.check.verdicts import VERDICTS, Checked, Statement
from workings.reading.blocks import Document

REQUEST = re.compile(r"(?:<!--|[%#\s])*workings:[ \t]*ignore(-file)?(?![\w-])([^\n]*)")
ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[^{}]*\}|^[`~]{3,}\s*math$")
NOTEBOOK_LINE = re.compile(r'\\.|\n|"', re.DOTALL)  # an escape, or what ends a line
BESIDE = 200  # characters looked at on either side of a comment

EVERYWHERE = -1
Silenced: TypeAlias = dict[int, set[str]]  # verdicts and rules by line; EVERYWHERE for all lines


def without_ignored(document: Document, checked: Checked) -> Checked:
    """The result without the statements that the document's comments silence, which are counted."""
    lines = _Lines(document)
    silenced, notes = _requests(document, lines)
    kept = tuple(s for s in checked.statements if not _is_silenced(s, lines, silenced))
    return replace(
        checked,
        statements=kept,
        notes=(*checked.notes, *notes),
        ignored=checked.ignored + len(checked.statements) - len(kept),
    )


def _is_silenced(statement: Statement, lines: _Lines, silenced: Silenced) -> bool:
    if not silenced:
        return False
    places = (EVERYWHERE, *lines.of_statement(statement))
    own = {statement.verdict, statement.rule} - {""}
    return any(own & silenced.get(line, set()) for line in places)


def _requests(document: Document, lines: _Lines) -> tuple[Silenced, list[str]]:
    """What the comments ask for, and remarks on those that ask for nothing there is."""
    silenced: Silenced = defaultdict(set)
    notes: list[str] = []
    for offset, comment in document.comments:
        found = REQUEST.match(comment)
        if found is None:
            continue
        named, unknown = _named(found[2])
        if unknown:
            line, known = document.place(offset)[0], [*VERDICTS, *every_rule()]
            near = get_close_matches(unknown, known, cutoff=0.7)
            hint = f"did you mean {' or '.join(near)}?" if near else "see `workings check --explain list`"
            notes.append(f"line {line}: workings: ignore silences nothing: found {unknown[:40]!r}, "
                         f"expected a verdict or the id of a rule, {hint}")  # fmt: skip
            continue
        for place in (EVERYWHERE,) if found[1] else lines.meant_by(offset):
            silenced[place].update(named)
    return silenced, notes


def _named(words: str) -> tuple[set[str], str]:
    """The verdicts and rules named (all verdicts if none is), and the first word that is neither."""
    listed = words.replace("—", "--").partition("--")[0]
    wanted = [" ".join(name.split()) for name in listed.split(",") if name.strip()]
    if not wanted:
        return set(VERDICTS), ""
    rules = every_rule()
    known = [name if name in rules else name.replace("-", " ") for name in wanted]
    unknown = next((name for name in known if name not in VERDICTS and name not in rules), "")
    return set(known), unknown


class _Lines:
    """The lines of a document as its author sees them, numbered from 0.

    In a notebook these end with an escaped line feed, or with the JSON string they stand in, whether
    the file spreads over many lines or stands on one.
    """

    def __init__(self, document: Document) -> None:
        self._text = document.text
        notebook = any(block.notebook_cell is not None for block in document.blocks)
        self._document, self._starts = document, document.starts
        if notebook:
            found = NOTEBOOK_LINE.finditer(self._text)
            self._starts = [0, *(m.end() for m in found if m[0] in ("\n", "\\n", '"'))]

    def _at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def _end(self, line: int) -> int:
        return self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)

    def of_statement(self, statement: Statement) -> range:
        """The lines that a statement stands on."""
        start = self._offset(statement.line, statement.column)
        end = self._offset(statement.end_line, statement.end_column)
        return range(self._at(start), self._at(max(start, end - 1)) + 1)

    def _offset(self, line: int, column: int) -> int:
        line = min(line, len(self._document.starts))
        return min(self._document.offset(line, column), len(self._text))

    def meant_by(self, offset: int) -> range:
        """The lines that a comment speaks for: its own, or what comes next where it stands alone.

        That is one line, or all lines of a displayed formula.
        """
        end = self._end_of_comment(offset)
        line = self._at(end - 1)
        before = self._text[max(self._starts[self._at(offset)], offset - BESIDE) : offset]
        after = self._text[end : min(self._end(line), end + BESIDE)]
        if _says_something(before) or _says_something(after):
            return range(line, line + 1)
        following = self._next_saying[line]
        return range(following, self._displays.get(following, following) + 1)

    @cached_property
    def _displays(self) -> dict[int, int]:
        """The first and the last line of every displayed formula."""
        shown = (block for block in self._document.blocks if block.kind == "display")
        return {self._at(block.offsets[0]): self._at(block.offsets[-1]) for block in shown}

    def _end_of_comment(self, offset: int) -> int:
        if "<!--" in self._text[max(offset - 8, 0) : offset + 4]:
            close = self._text.find("-->", offset)
            return close + 3 if close >= 0 else len(self._text)
        return self._end(self._at(offset))

    @cached_property
    def _next_saying(self) -> list[int]:
        """For each line, the next one that says something; after the last of these, itself."""
        following, found = None, []
        for line in reversed(range(len(self._starts))):
            found.append(line if following is None else following)
            if _says_something(self._text[self._starts[line] : self._end(line)]):
                following = line
        return found[::-1]


def _says_something(text: str) -> bool:
    """Whether a piece of a line is more than marks, such as `$$` or `\\begin{align}`, and comments."""
    bare = text.strip()
    if bare.startswith("%") or (bare.startswith("<!--") and bare.endswith("-->")):
        return False
    bare = ENVIRONMENT.sub("", bare).replace("\\n", "")
    return any(c.isalnum() for c in bare)
