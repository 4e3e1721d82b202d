"""Results as HTML tables, for notebooks: whatever a name holds, it stays a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

# What a notebook's mathematics starts from: signs in elements of their own start none.
_INERT = {"$": "<span>&#36;</span>", "\\": "<span>&#92;</span>"}


def inert(text: object) -> str:
    """Text in which nothing is markup, nor mathematics to a notebook that typesets its pages."""
    return "".join(_INERT.get(sign, sign) for sign in escape(str(text)))


def tabled(head: Sequence[str], align: str, rows: Iterable[Sequence[object]], title: object = "") -> str:
    """A title and a table, if it has rows; `align` holds l or r for each column, l where it ends."""
    sides = ["right" if side == "r" else "left" for side in align.ljust(len(head), "l")]
    lines = [f"<p><strong>{inert(title)}</strong></p>"] if title else []
    made = [_row("td", row, sides) for row in rows]
    if not made:
        return "\n".join(lines)
    lines += ["<table>", *([f"<thead>{_row('th', head, sides)}</thead>"] if any(head) else [])]
    lines += ["<tbody>", *made, "</tbody>", "</table>"]
    return "\n".join(lines)


def _row(tag: str, cells: Sequence[object], sides: Sequence[str]) -> str:
    made = (
        f'<{tag} style="text-align: {side}">{inert(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(made)}</tr>"
