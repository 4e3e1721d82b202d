"""What was read, defaulted, ignored or contradicted in the input files."""

from __future__ import annotations

from collections.abc import Iterator

from workings.document.blocks import Block, Code
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading

TALLEST = 30
ORDER = {"contradicts": 0, "ignored": 1, "defaulted": 2, "read": 3}


def inputs(desk: Desk) -> Iterator[Block]:
    """The list of keys, what deserves attention first."""
    if not desk.job.noted:
        return
    yield heading("Inputs")
    found = sorted(desk.job.noted, key=lambda n: (ORDER[n.remark], n.file, n.key))
    rows: list[tuple[Cell, ...]] = [(n.remark, n.file, (Code(n.key),), n.text) for n in found]
    for start in range(0, len(rows), TALLEST):
        more = ", continued" if start else ""
        yield desk.table(f"inputs-{start // TALLEST + 1}", f"What became of each key{more}", "llww",
                         ("", "file", "key", "what"), rows[start : start + TALLEST])  # fmt: skip
