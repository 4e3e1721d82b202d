"""A table that can be pasted into a pull request; nothing from a document acts in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workings.check.output.view import View, shortened, visible
from workings.check.output.words import details, in_cell, summary
from workings.check.results import Results
from workings.check.verdicts import Checked, Statement

# Whatever Markdown, HTML, GitHub or a site generator could act on. As an entity a character stands
# for itself only.
ACTIVE = re.compile(r"[&<>|`*_~\[\]\\!${}\"'^@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
JOINER = "&#8288;"  # takes no room; GitHub looks for @name and #12 in the finished page


def markdown(results: Results, view: View) -> str:
    """The counts, then a table for every document with something to show."""
    parts = [f"**{summary(results)}**\n"]
    for checked in results.checked:
        parts += _document(checked, view)
    for failure in results.failures:
        parts.append(f"Not checked: {code(failure.file)}: {inert(visible(failure.reason))}\n")
    parts += [f"Note: {inert(visible(note))}\n" for note in results.notes]
    return "\n".join(parts)


def _document(checked: Checked, view: View) -> Iterator[str]:
    shown = view.of(checked)
    if shown:
        rows = "".join(_row(statement) for statement in shown)
        yield f"{code(checked.file)}\n\n| Line | Verdict | Statement | Why |\n|---:|---|---|---|\n{rows}"
    for note in checked.notes:
        yield f"{code(checked.file)}: {inert(visible(note))}\n"


def _row(statement: Statement) -> str:
    why = "<br>".join(inert(shortened(said, 400)) for said in details(statement))
    place = f"{statement.line}:{statement.column}{in_cell(statement)}"
    return f"| {place} | {statement.verdict} | {code(shortened(statement.quote))} | {why} |\n"


def code(words: str) -> str:
    """Words in a fixed-width font, acted on by nothing; GitHub looks for no names in it."""
    return f"<code>{ACTIVE.sub(_entity, visible(words))}</code>"


def inert(words: str) -> str:
    """Words as prose, acted on by nothing."""
    return ACTIVE.sub(lambda m: _entity(m) + (JOINER if m[0] in "@#" else ""), words)


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"
