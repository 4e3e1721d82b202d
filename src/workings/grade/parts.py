"""Where the parts of a hand-in begin: `(a)`, `Part a`, `Question 1(a)`, `问题 a`, `\\item`, headings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal
from unicodedata import normalize

from workings.grade.clauses import listed
from workings.grade.file import Part
from workings.reading.blocks import Block, Document

_ID = r"[a-h]|[0-9]{1,2}|[ivx]{1,4}|[一二三四五六]"
# What may stand before a marker: list marks, commands and quotes of the source.
_DECORATION = re.compile(
    r"(?:[\s\"'#>*_\-+:：.]|\\n|\\(?:sub){0,2}section\*?\{?|\\paragraph\*?\{?|\\textbf\{|\\item|\[(?=\())+"
)
_NAMES = (f"{w}(?![A-Za-z])" if w.isascii() else w for w in sorted(listed("part"), key=len, reverse=True))
_WORDS = "|".join(_NAMES)
_MARKER = re.compile(
    rf"(?:(?:{_WORDS})[\s.:-]{{0,3}}(?:to\s|of\s|zu\s)?){{1,3}}"
    rf"(?:[0-9]{{1,2}}[\s.-]{{0,2}})?[(\[]?(?P<named>{_ID})\.?[)\]]?(?![A-Za-z0-9])"
    rf"|(?:[0-9]{{1,2}}[\s.]{{0,2}})?[(\[](?P<bracketed>{_ID})\.?[)\]]"
    rf"|(?:[0-9]{{1,2}})?(?P<listed>[a-h]|[ivx]{{1,4}})[).](?=[\s:*]|$)"
    rf"|(?P<numbered>[0-9]{{1,2}})[).](?=\s)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\\(begin|end)\{enumerate\}|\\item(?![A-Za-z])")
_FAR = 60  # characters of a line looked at
_WIDTH, _ENDS = 72, (*".:;!?。；：！？",)  # of a line that is not broken for its length; of a sentence
_ORDINALS = ("abcdefgh", "123456789", ("i", "ii", "iii", "iv", "v", "vi"), "一二三四五六")


@dataclass(frozen=True)
class _Begin:
    """A part that begins, by its id ("" for one that the key does not name), and how it is seen.

    `## (b)`, `(b)`, a heading in the key's words, or prose that begins with them.
    """

    id: str
    how: Literal["marked heading", "mark", "heading", "words"]


@dataclass(frozen=True)
class Stretch:
    """The blocks of one part, in order; `sure` unless the whole document stands for it."""

    blocks: tuple[Block, ...]
    sure: bool = True

    def holds(self, offset: int) -> bool:
        """Whether a character of the file belongs to this part."""
        index = bisect_right(self._spans, offset, key=lambda span: span[0]) - 1
        return index >= 0 and offset <= self._spans[index][1]

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return sorted((block.offsets[0], block.offsets[-1]) for block in self.blocks)


def find_parts(document: Document, parts: Sequence[Part]) -> dict[str, Stretch]:
    """The stretch of every part by id; where no part is marked, the whole document for each of them."""
    ids = {part.id: part.id for part in parts}
    marked = _by_marks(document, parts, ids) or _by_items(document, parts)
    if not marked:
        numbered = [_by_marks(document, parts, names) for names in _ordinals(parts)]
        marked = max(numbered, key=lambda found: sum(bool(s.blocks) for s in found.values()))
    return marked or {part.id: Stretch(document.blocks, sure=len(parts) == 1) for part in parts}


def _by_marks(document: Document, parts: Sequence[Part], names: Mapping[str, str]) -> dict[str, Stretch]:
    """The stretches that begin with a mark of these names or a heading of the key."""
    pieces = [piece for block in document.blocks for piece in _pieces(block, names)]
    begun = [_begun(document, piece, parts, names) for piece in pieces]
    found: dict[str, list[Block]] = {part.id: [] for part in parts}
    counting = _counting([begins for begins in begun if begins])
    here = ""
    for block, begins in zip(pieces, begun, strict=True):
        if begins in counting:
            here = begins.id
        if here:
            found[here].append(block)
    return {id_: Stretch(tuple(b)) for id_, b in found.items()} if any(found.values()) else {}


def _pieces(block: Block, names: Mapping[str, str]) -> Iterator[Block]:
    """A paragraph, cut where a line or what follows a stop begins with the mark of a part.

    A mark at the beginning of a long line may stand there by chance.
    """
    text, cuts = block.text, [0]
    for at in range(1, len(text) if block.kind == "prose" else 0):
        new = text[at - 1] == "\n"
        if not new and (text[at] not in "(（" or text[at - 1] != " "):
            continue
        line = text[max(text.rfind("\n", 0, at - 1) + 1, at - _WIDTH) : at].rstrip()
        ends = line[-1:] in _ENDS or (new and len(line) < _WIDTH - 1)
        if ends and (_mark(text[at : at + _FAR]) or "-") in names:
            cuts.append(at)
    for start, end in pairwise([*cuts, len(text)]):
        yield block.part(start, start + len(text[start:end].rstrip())) if cuts[1:] else block


def _counting(begun: Sequence[_Begin]) -> set[_Begin]:
    """The ways in which parts begin here: a line of prose is no heading where a plainer one is found."""
    headed = {begins.id for begins in begun if begins.how == "marked heading"}
    only_words = all(begins.how == "words" for begins in begun if begins.id)
    return {
        begins for begins in begun
        if begins.how == "marked heading"
        or (begins.how == "words" and only_words)
        or (begins.how == "heading" and begins.id not in headed)
        or (begins.how == "mark" and not (begins.id in headed or (headed and not begins.id)))
    }  # fmt: skip


def _ordinals(parts: Sequence[Part]) -> list[dict[str, str]]:
    """Other ways to number the parts in their order: a, b, c; 1, 2, 3; i, ii, iii; 一, 二, 三."""
    ids = [part.id for part in parts]
    return [dict(zip(names, ids, strict=False)) for names in _ORDINALS]


def _begun(
    document: Document, block: Block, parts: Sequence[Part], names: Mapping[str, str]
) -> _Begin | None:
    """The part that begins with a block (one that the key does not name has no id), or None."""
    if block.kind in ("code", "output", "display") or (block.cell and block.cell.column):
        return None
    is_heading = block.kind == "heading"
    starts = (block.text[:_FAR], _line_start(document, block))
    marks = [mark for text in starts if (mark := _mark(text)) is not None]
    marks += [_bare(block.text).strip().casefold()] if is_heading else []
    for mark in marks:
        if mark in names:
            return _Begin(names[mark], "marked heading" if is_heading else "mark")
    if any(len(mark) == 1 and mark.isalpha() == next(iter(names)).isalpha() for mark in marks):
        return _Begin("", "marked heading" if is_heading else "mark")
    if is_heading or block.marks == ():
        for part in parts:
            if any(_begins(text, words) for text in starts for words in part.heading):
                return _Begin(part.id, "heading" if is_heading else "words")
    return (
        _Begin("", "heading")
        if is_heading and _bare(block.text).casefold().startswith(tuple(listed("behind")))
        else None
    )


def _line_start(document: Document, block: Block) -> str:
    """The block with what stands before it on its line in the file: list marks, `\\item[(a)]`."""
    start = block.offsets[0]
    line = document.text.rfind("\n", max(0, start - _FAR), start) + 1
    before = document.text[line:start] if line or start < _FAR else ""
    return (before + block.text)[:_FAR]


def _bare(text: str) -> str:
    match = _DECORATION.match(text)
    return text[match.end() :] if match else text


def _begins(text: str, words: str) -> bool:
    bare, wanted = _bare(text).casefold(), words.casefold()
    if not bare.startswith(wanted):
        return False
    behind = bare[len(wanted) : len(wanted) + 1]
    return not (behind.isascii() and behind.isalnum() and wanted[-1].isalnum())


def _mark(text: str) -> str | None:
    """`a` of `**(a)**`, `a)`, `Part (a)`, `Question 1a`; None where no marker begins the text."""
    bare = "".join(f"({normalize('NFKC', c)})" if c in "①②③④⑤⑥⑦⑧⑨" else c for c in _bare(text))
    match = _MARKER.match(normalize("NFKC", bare))
    return next(filter(None, match.groups())).casefold() if match else None


def _by_items(document: Document, parts: Sequence[Part]) -> dict[str, Stretch]:
    r"""The items of a numbered list of LaTeX that has as many `\item` as there are parts."""
    for starts, end in _lists(document.text):
        if len(starts) == len(parts) > 1:
            bounds = [*starts, end]
            return {
                part.id: Stretch(
                    tuple(b for b in document.blocks if bounds[i] <= b.offsets[0] < bounds[i + 1])
                )
                for i, part in enumerate(parts)
            }
    return {}


def _lists(text: str) -> list[tuple[list[int], int]]:
    """Where the items of each numbered list of LaTeX begin, and where the list ends."""
    found: list[tuple[list[int], int]] = []
    inside: list[list[int]] = []
    for token in _LIST.finditer(text):
        if token[1] == "begin":
            inside.append([])
        elif token[1] == "end" and inside:
            found.append((inside.pop(), token.start()))
        elif token[1] is None and inside:
            inside[-1].append(token.end())
    return found
