"""What was read, defaulted, ignored or contradicted in the input files."""

from __future__ import annotations

from collections.abc import Iterator

from workings.document.blocks import Block, Code, Prose
from workings.planning.accuracy import edition
from workings.planning.job import Noted
from workings.review.desk import Cell, Desk
from workings.review.front_page import heading
from workings.review.numbers import number, words

ORDER = {"contradicts": 0, "taken": 1, "ignored": 2, "defaulted": 3, "read": 4}


def inputs(desk: Desk) -> Iterator[Block]:
    """The list of keys, what deserves attention first."""
    if not desk.job.noted:
        return
    yield heading("Inputs")
    yield Prose(words(f"The published runs that tell the odds are those of edition {edition()}."))
    found = sorted(desk.job.noted, key=lambda n: (ORDER[n.remark], n.file, n.key))
    files = {n.file for n in found}
    several = len(files) > 1
    rows: list[tuple[Cell, ...]] = [
        (n.remark, *([(Code(n.file),)] if several else []), (Code(n.key),), _said(desk, n)) for n in found
    ]
    caption = "What became of each key" + ("" if several else f" of {found[0].file}")
    head = ("", *(["file"] if several else []), "key", "what")
    yield from desk.long_table("inputs", caption, "lwww" if several else "lww", head, rows)


def _said(desk: Desk, noted: Noted) -> Cell:
    """What was noted of a key; of an assumption and of a date the value too."""
    if noted.text == "a date":
        return desk.job.cover.date
    if noted.text not in ("given", "measured"):
        return noted.text
    for figure in desk.job.figures.values():
        if figure.place and (figure.place.file, figure.place.key) == (noted.file, noted.key):
            return (number(figure.value, figure.concept.dimension), *words(f", {noted.text}"))
    return noted.text
