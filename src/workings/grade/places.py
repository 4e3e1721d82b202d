"""Every place of a document where a label may stand and how it reads; which count is chosen later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from workings.grade.clauses import listed
from workings.grade.file import Part
from workings.grade.labels import FAR, Label, bare, labels_at
from workings.reading.blocks import Block, Document

MAX_PLACES = 2_000  # of one hand-in; nobody marks as many parts
_LIST = re.compile(r"\\(begin|end)\{enumerate\}|\\item(?![A-Za-z])(?P<own>\s*\[)?")
_STRONG = re.compile(r"(?:\*\*|__|\\textbf\{)\W*$")
_WITHIN = re.compile(
    r"(?<=\s)(?:[(\[（]\s?(?:[0-9]{1,2}|[a-zа-н]|[ivx]{1,4}|[一-十])|[①-⑩]|(?:[a-zа-н]|[ivx]{1,4})\)"
    r"|[0-9]{1,2}[.-]?[a-l](?![A-Za-z0-9]))"
)
_ENDS = (*".:;!?,。；：！？，—–|",)  # of what may stand before a label within a line
_FIGURE = re.compile(r"(?:[\d%$)*]|[KMGT]i?B|[GT]PUs?)\s+$")
_BULLET = re.compile(r"^ {0,3}[-*+•‣–] {1,3}\S?$|^[•‣] ?$")
_WIDTH = 72  # of a line that is not broken for its length
# Words of one's own ahead of a label in emphasis or a heading: State (1b).
_WORDS_AHEAD = re.compile(r"[\W_]*[^\W\d_][^\d()\n]{0,40}(?=\(\d{1,2}[a-z]\))")


@dataclass(frozen=True)
class Place:
    """How the label at `text[start:]` of a block, given by its number, can be read.

    It is `loose` where it may be a mention of a part: there one begins only behind the part before it.
    """

    block: int
    start: int
    readings: tuple[Label, ...]
    loose: bool = False


def places_in(document: Document, parts: Sequence[Part]) -> list[Place]:
    """The places in reading order; the style of a reading also says where it stands."""
    return list(islice(_places(document, parts), MAX_PLACES))


def _places(document: Document, parts: Sequence[Part]) -> Iterator[Place]:
    items, bullets = _items(document.text), 0
    item, end = next(items, None), 0
    for number, block in enumerate(document.blocks):
        while item is not None and item[0] <= block.offsets[0]:
            yield Place(number, 0, (item[1],))
            item = next(items, None)
        before = _before(document, block, end)
        yield from _between(document, block, number, end)
        if before is not None and block.kind == "prose" and _BULLET.search(before + block.text[:2]):
            bullets += 1
            yield Place(number, 0, (Label("bullets", (bullets,), 0, 3.0, "1"),))
        if not _heads_columns(document.blocks[number : number + 2]):
            yield from _in_block(block, number, before)
        if (words := _in_words(block, before or "", parts)) is not None:
            yield Place(number, 0, (words,))
        end = max(end, block.offsets[-1])


def _heads_columns(blocks: Sequence[Block]) -> bool:
    """Whether a cell is no place for a label: beyond the second column, or with labels side by side."""
    cell = blocks[0].cell
    if cell is None or cell.column > 1:
        return cell is not None
    first, *second = ({one.style for one in labels_at(block.text)} for block in blocks if block.cell)
    return cell.row == 0 and bool(first.intersection(*second) if second else False)


def _between(document: Document, block: Block, number: int, end: int) -> Iterator[Place]:
    """Lines that are nothing but a label, such as `1.`, of which a reader makes no block."""
    start = block.offsets[0]
    lines = document.text[max(end, start - 4 * FAR) : start].split("\n")[:-1]
    for line in lines[1:] if end else lines:
        plain = line.strip().removesuffix('",').removesuffix("\\n").removeprefix('"')
        read = [one for one in labels_at(plain) if one.end >= len(plain.rstrip("*_} "))]
        if read and block.cell is None and not plain.startswith(("<!--", "%")):
            yield Place(number, 0, tuple(one._replace(end=0, style=f"line {one.style}") for one in read))


def _in_block(block: Block, number: int, before: str | None) -> Iterator[Place]:
    """Where the lines of a block begin, and within them."""
    at, text = 0, block.text
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        program = block.kind == "code" and block.notebook_cell is not None and text[at] != "#"
        if not program and (read := _read_at(block, before or "" if at == 0 else "", at)):
            loose = before is None if at == 0 else block.kind == "prose" and _is_broken(text, at)
            yield Place(number, at, read, loose)
        if block.kind in ("prose", "output"):
            yield from _within(block, number, at, stop)
        at = stop + 1


def _is_broken(text: str, at: int) -> bool:
    """Whether the line before one that begins here is full, and no sentence ends there."""
    line = text[max(0, at - _WIDTH) : at - 1]
    return "\n" not in line and len(line) >= _WIDTH - 1 and not line.rstrip().endswith(_ENDS)


def _read_at(block: Block, before: str, at: int) -> tuple[Label, ...]:
    """The label that a line of a block begins with, behind what stands before it in the file."""
    text, ahead, column = block.text, at - len(before), block.cell.column if block.cell else 0

    def ends(place: int) -> bool:
        here = place + ahead
        marked = 0 < here < len(text) and block.offsets[here] - block.offsets[here - 1] > 1
        return here >= len(text) or (marked and text[here] in " :.,")

    strong = block.kind == "prose" and _STRONG.search(before) is not None
    most = 1.0 if block.kind == "heading" else 2.0 if strong or block.cell else 9.0
    where = {"prose": "strong " * strong, "cell": f"cell {column} "}.get(block.kind, f"{block.kind} ")
    line = before + text[at : at + 2 * FAR]
    found = labels_at(line, ends)
    if not found and (strong or block.kind == "heading") and (words := _WORDS_AHEAD.match(line)):
        found = [one._replace(end=one.end + words.end()) for one in labels_at(line[words.end() :])]
    return tuple(
        one._replace(end=max(at, one.end + ahead), style=where + one.style, cost=min(one.cost, most))
        for one in found
        if not column or one.end + ahead >= len(text.rstrip())
    )


def _within(block: Block, number: int, start: int, stop: int) -> Iterator[Place]:
    """Labels in the middle of a line: behind a stop or a figure, or with half a bracket."""
    text = block.text
    for match in _WITHIN.finditer(text, start + 1, stop):
        at = match.start()
        behind, bracket = text[max(start, at - FAR) : at], text[at] in "(（["
        ended = behind.rstrip().endswith(_ENDS) or (not bracket and ")" in text[at : at + 5])
        if ended or _FIGURE.search(behind) or block.kind == "output":
            where = "output " * (block.kind == "output")
            read = (one for one in labels_at(text[at : at + FAR]) if one.cost <= 1)
            found = tuple(one._replace(end=one.end + at, style=where + one.style) for one in read)
            if found:
                sure = bracket and behind.rstrip().endswith((".", ":", ";", "!", "?", "。"))
                yield Place(number, at, found, loose=not sure)


def _before(document: Document, block: Block, end: int) -> str | None:
    r"""What stands before a block on its line: list marks, `\item`; None where another block does."""
    start = block.offsets[0]
    line = document.text.rfind("\n", max(0, start - 4 * FAR), start) + 1
    if block.cell is not None:
        return ""
    raw = document.text[line:start] if line or start < FAR else ""
    if block.notebook_cell is not None:  # its source is quoted, with line feeds as two signs
        return raw[max(raw.rfind('"') + 1, raw.rfind("\\n") + 2 if "\\n" in raw else 0) :][-FAR:]
    return None if line < end <= start else raw[-FAR:]


def _items(text: str) -> Iterator[tuple[int, Label]]:
    r"""Where each `\item` of a numbered list of LaTeX ends, and its number in the list, by depth."""
    counts: list[int] = []
    for token in _LIST.finditer(text):
        if token[1] == "begin":
            counts.append(0)
        elif token[1] == "end":
            del counts[-1:]
        elif counts and not token["own"]:
            counts[-1] += 1
            yield token.end(), Label(f"item {len(counts)}", (counts[-1],), 0, 3.0, "1")


def _in_words(block: Block, before: str, parts: Sequence[Part]) -> Label | None:
    """The part whose words a heading or a line begins with; what follows the last part is none."""
    is_heading = block.kind == "heading"
    if not is_heading and (block.marks or block.kind != "prose"):
        return None
    starts = (block.text[:FAR], (before + block.text[:FAR])[:FAR])
    for at, part in enumerate(parts):
        titles = (part.title, part.id.replace("-", " ")) if is_heading and len(part.id) > 3 else ()
        if any(_begins(text, one) for one in filter(None, (*part.heading, *titles)) for text in starts):
            style, cost = ("heading words", 1.0) if is_heading else ("words", 5.0)
            return Label(style, (at,), 0, cost)
    behind = is_heading and bare(block.text).casefold().startswith(tuple(listed("behind")))
    return Label("behind", (0,), 0, 0.0) if behind else None


def _begins(text: str, words: str) -> bool:
    plain, wanted = bare(text).casefold(), words.casefold()
    if not plain.startswith(wanted):
        return False
    behind = plain[len(wanted) : len(wanted) + 1]
    return not (behind.isascii() and behind.isalnum() and wanted[-1].isalnum())
