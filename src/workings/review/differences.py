"""Changes between reviews as text, JSON or a table of Markdown; nothing from a review acts in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from workings.check.output.as_markdown import inert
from workings.check.output.view import shortened
from workings.review.comparing import Change

SAME = "Nothing changed."


def text(changes: Sequence[Change]) -> str:
    """For a terminal, by kind."""
    if not changes:
        return f"{SAME}\n"
    lines = []
    for kind, group in groupby(changes, key=lambda change: change.kind):
        lines.append(kind)
        lines += [f"  {shortened(c.what)}: {_moved(c, shortened)}" for c in group]
    return "\n".join([*lines, f"{len(changes)} change{'' if len(changes) == 1 else 's'}"]) + "\n"


def _moved(change: Change, safe: Callable[[str], str]) -> str:
    """From what to what, and by how much."""
    before, after = safe(change.old) or "nothing", safe(change.new) or "nothing"
    return f"{before} → {after}{_percent(change, ' (', ')')}"


def _percent(change: Change, before: str = "", after: str = "") -> str:
    if change.share is None:
        return ""
    sign = "+" if change.share > 0 else "−"
    return f"{before}{sign}{abs(change.share) * 100:.3g} %{after}"


def markdown(changes: Sequence[Change]) -> str:
    """One table."""
    if not changes:
        return f"{SAME}\n"
    rows = ["| | What | Was | Is | By |", "|---|---|---|---|---:|"]
    for c in changes:
        cells = (c.kind, *(inert(shortened(words)) for words in (c.what, c.old, c.new)), _percent(c))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def as_json(changes: Sequence[Change]) -> str:
    """A list of objects, in the same order."""
    found = [{"kind": c.kind, "what": c.what, "old": c.old, "new": c.new, "share": c.share}
             for c in changes]  # fmt: skip
    return json.dumps({"schema": 1, "changes": found}, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[Change]], str]] = {
    "text": text, "json": as_json, "md": markdown,
}  # fmt: skip
