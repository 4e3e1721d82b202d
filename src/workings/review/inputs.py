"""What was read, defaulted, ignored or contradicted in the input files."""

from __future__ import annotations

from collections.abc import Iterator

from workings.document.blocks import Block, Code
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading

ORDER = {"contradicts": 0, "ignored": 1, "defaulted": 2, "read": 3}


def inputs(desk: Desk) -> Iterator[Block]:
    """The list of keys, what deserves attention first."""
    if not desk.job.noted:
        return
    yield heading("Inputs")
    found = sorted(desk.job.noted, key=lambda n: (ORDER[n.remark], n.file, n.key))
    files = {n.file for n in found}
    several = len(files) > 1
    rows: list[tuple[Cell, ...]] = [
        (n.remark, *([(Code(n.file),)] if several else []), (Code(n.key),), n.text) for n in found
    ]
    caption = "What became of each key" + ("" if several else f" of {found[0].file}")
    head = ("", *(["file"] if several else []), "key", "what")
    yield from desk.tables("inputs", caption, "lwww" if several else "lww", head, rows)
