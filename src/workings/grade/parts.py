"""Where the parts of a hand-in begin: by marks, headings in the key's words, items of a list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal

from workings.grade.clauses import listed
from workings.grade.file import Part
from workings.grade.part_marks import FAR, Mark, bare, follows, mark_alone, mark_of, mark_of_id, otherwise
from workings.reading.blocks import Block, Document

_LIST = re.compile(r"\\(begin|end)\{enumerate\}|\\item(?![A-Za-z])")
_WIDTH, _ENDS = 72, (*".:;!?。；：！？",)  # of a line that is not broken for its length; of a sentence
BEYOND = 4  # questions that the key may not have
_WAYS = 4  # in which parts may be numbered

How = Literal["marked heading", "mark", "heading", "words"]


@dataclass(frozen=True)
class Stretch:
    """The blocks of one part, in order; `sure` unless they stand for another part as well."""

    blocks: tuple[Block, ...]
    sure: bool = True

    def holds(self, offset: int) -> bool:
        """Whether a character of the file belongs to this part."""
        index = bisect_right(self._spans, offset, key=lambda span: span[0]) - 1
        return index >= 0 and offset <= self._spans[index][1]

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return sorted((block.offsets[0], block.offsets[-1]) for block in self.blocks)


@dataclass(frozen=True)
class _Begin:
    """A part that begins, by its id, and how it is seen.

    `## (b)`, `(b)`, a heading in the key's words, or prose that begins with them. Without an id it is
    a part that the key does not name, or the `question` that has parts.
    """

    id: str
    how: How
    question: str = ""
    end: int = field(default=0, compare=False)  # of the mark, which is no part of what is answered


@dataclass(frozen=True)
class _Marks:
    """The marks of a key's parts, read in one of the ways in which parts are numbered."""

    ids: Mapping[tuple[str, str], str]
    way: int
    colons: bool = False  # whether a mere number before a colon is one

    @cached_property
    def questions(self) -> frozenset[str]:
        """The questions that have parts."""
        return frozenset(question for question, part in self.ids if question and part)

    @cached_property
    def last(self) -> int:
        """The highest number of a question."""
        return max((int(question) for question, _ in self.ids if question.isdigit()), default=0)

    def read(self, mark: Mark | None) -> Mark | None:
        """A mark in the way of the key."""
        if mark is None or (mark.colon and not self.colons):
            return None
        return list(otherwise(mark))[self.way]._replace(end=mark.end)

    def id(self, mark: Mark, question: str) -> str | None:
        """The id of the part that a mark begins below a question; "" for another part, None for none."""
        if mark.part and not mark.question and (question, "") in self.ids:
            return None  # a list of one's own
        of = mark.question or (question if mark.part else "")
        places = [(of, mark.part), ("", mark.part)] if mark.part else [(of, "")]
        places += [(mark.part, "")] if not of else []
        found = next((self.ids[place] for place in places if place in self.ids), None)
        if found is not None:
            return found
        alike = [id_ for (_, part), id_ in self.ids.items() if part == mark.part and not of]
        if len(alike) == 1:
            return alike[0]
        if mark.question.isdigit() and int(mark.question) > self.last + BEYOND:
            return None  # a number that happens to stand behind such a word
        kind = (bool(mark.part), len(mark.part) == 1, mark.part.isalpha())
        return "" if any(kind == (bool(p), len(p) == 1, p.isalpha()) for _, p in self.ids) else None

    def knows(self, mark: Mark | None) -> bool:
        """Whether some part or question may begin so."""
        read = self.read(mark)
        if read is None:
            return False
        whole = not read.part and read.question in self.questions
        below = not read.question and any(read.part == part for _, part in self.ids)
        return whole or below or bool(self.id(read, ""))


def find_parts(document: Document, parts: Sequence[Part]) -> dict[str, Stretch]:
    """The stretch of every part by id; where no part is marked, the whole document for each of them."""
    ids = {(m.question, m.part): p.id for p in parts if (m := mark_of_id(p.id)) is not None}
    colons = _has_colons(document, ids)
    marked = _by_marks(document, parts, _Marks(ids, 0, colons))
    if not _found(marked) or _found(marked) < _begun(marked):
        ways: list[Callable[[], dict[str, Stretch]]] = [partial(_by_items, document, parts)]
        ways += [partial(_by_marks, document, parts, _Marks(ids, way, colons)) for way in range(1, _WAYS)]
        others = [marked, *(way() for way in ways)]
        marked = max(
            others, key=lambda found: (_found(found), sum(bool(s.blocks) for s in found.values()))
        )
    if not _begun(marked):
        return {part.id: Stretch(document.blocks, sure=len(parts) == 1) for part in parts}
    return marked


def _has_colons(document: Document, ids: Mapping[tuple[str, str], str]) -> bool:
    """Whether numbers before a colon mark parts: two lines at least begin with one of the key's."""
    lines = (line for b in document.blocks if b.kind == "prose" for line in b.text.split("\n"))
    marks = (mark_of(line[:FAR]) for line in lines)
    numbers = {mark.question for mark in marks if mark is not None and mark.colon}
    return len(numbers & {question for question, _ in ids}) > 1


def _found(marked: Mapping[str, Stretch]) -> int:
    return sum(stretch.sure and bool(stretch.blocks) for stretch in marked.values())


def _begun(marked: Mapping[str, Stretch]) -> int:
    return sum(bool(stretch.blocks) for stretch in marked.values())


def _by_marks(document: Document, parts: Sequence[Part], marks: _Marks) -> dict[str, Stretch]:
    """The stretches that begin with a mark or a heading of the key.

    What stands below a question whose parts are not marked may belong to each of them.
    """
    pieces = [piece for block in document.blocks for piece in _pieces(block, marks)]
    begun = _begun_all(document, pieces, parts, marks)
    found: dict[str, list[Block]] = {part.id: [] for part in parts}
    loose: dict[str, list[Block]] = {}
    counting = _counting([begins for begins in begun if begins])
    here: list[Block] | None = None
    for piece, begins in zip(pieces, begun, strict=True):
        block = piece
        if begins is not None and begins in counting:
            here = found[begins.id] if begins.id else None
            here = loose.setdefault(begins.question, []) if begins.question else here
            block = _behind(piece, begins.end)
        if here is not None:
            here.append(block)
    stretches = {id_: Stretch(tuple(blocks)) for id_, blocks in found.items()}
    for question, blocks in loose.items():
        own = [id_ for (of, part), id_ in marks.ids.items() if of == question and part]
        if not any(found[id_] for id_ in own):
            stretches |= {id_: Stretch(tuple(blocks), sure=len(own) == 1) for id_ in own}
    return stretches


def _behind(block: Block, end: int) -> Block:
    """A block without the mark that it begins with."""
    rest = block.text[end:].lstrip(" \t\n:：")
    return block.part(len(block.text) - len(rest), len(block.text)) if end else block


def _pieces(block: Block, marks: _Marks) -> Iterator[Block]:
    """A paragraph, cut where a line or what follows a stop begins with the mark of a part.

    A mark at the beginning of a long line may stand there by chance.
    """
    text, cuts = block.text, [0]
    for at in range(1, len(text) if block.kind == "prose" else 0):
        new = text[at - 1] == "\n"
        bracket = text[at] in "(（" or text[at + 1 : at + 2] == ")"
        if not new and (not bracket or text[at - 1] != " "):
            continue
        line = text[max(text.rfind("\n", 0, at - 1) + 1, at - _WIDTH) : at].rstrip()
        ends = line[-1:] in _ENDS or (new and len(line) < _WIDTH - 1)
        mark = mark_of(text[at : at + FAR])
        last = mark_of(text[cuts[-1] : cuts[-1] + FAR])
        if last is not None and last.part and not text[cuts[-1] + last.end : at].strip(" :："):
            continue  # what is answered, as in `6a: b)`
        if marks.knows(mark) and (ends or ((new or text[at] not in "(（") and follows(last, mark))):
            cuts.append(at)
    for start, end in pairwise([*cuts, len(text)]):
        yield block.part(start, start + len(text[start:end].rstrip())) if cuts[1:] else block


def _counting(begun: Sequence[_Begin]) -> set[_Begin]:
    """The ways in which parts begin here: a line of prose is no heading where a plainer one is found."""
    headed = {begins.id for begins in begun if begins.how == "marked heading" and not begins.question}
    only_words = all(begins.how == "words" for begins in begun if begins.id)
    return {
        begins for begins in begun
        if begins.how == "marked heading" or begins.question
        or (begins.how == "words" and only_words)
        or (begins.how == "heading" and begins.id not in headed)
        or (begins.how == "mark" and not (begins.id in headed or (headed and not begins.id)))
    }  # fmt: skip


def _begun_all(
    document: Document, pieces: Sequence[Block], parts: Sequence[Part], marks: _Marks
) -> list[_Begin | None]:
    """What begins with each piece; a part without its question belongs to the last question named.

    Where questions are named or headed, a mere number is that of a list.
    """
    seen = [_marks_at(document, piece, marks) for piece in pieces]
    headed = any(
        _is_strong(mark, piece) for found, piece in zip(seen, pieces, strict=True) for mark in found
    )
    out: list[_Begin | None] = []
    question = ""
    for piece, found in zip(pieces, seen, strict=True):
        meant = [mark for mark in found if mark.part or _is_strong(mark, piece) or not headed]
        how: How = "marked heading" if piece.kind == "heading" else "mark"
        question = next((mark.question for mark in meant if mark.question), question)
        whole = next((m.question for m in meant if not m.part and m.question in marks.questions), "")
        ids = [marks.id(mark, question) for mark in meant]
        known = next((id_ for id_, mark in zip(ids, meant, strict=True) if id_ and mark.part), "")
        end = max((mark.end for mark in meant), default=0)
        if known := known or ("" if whole else next(filter(None, ids), "")):
            out.append(_Begin(known, how, end=end))
        elif whole:
            out.append(_Begin("", how, whole, end))
        else:
            out.append(_Begin("", how) if "" in ids else _in_words(document, piece, parts))
    return out


def _is_strong(mark: Mark, piece: Block) -> bool:
    """Whether a question is named or headed, and no number of a list."""
    return bool(mark.question) and (mark.named or piece.kind == "heading")


def _marks_at(document: Document, block: Block, marks: _Marks) -> list[Mark]:
    """The marks that a block may begin with, in the way of the key."""
    if block.kind in ("code", "output", "display") or (block.cell and block.cell.column):
        return []
    found = [mark_of(block.text[:FAR])]
    if (of_line := mark_of(_before(document, block) + block.text[:FAR])) is not None:
        found.append(of_line._replace(end=max(0, of_line.end - len(_before(document, block)))))
    if block.kind == "heading" or block.cell:
        found.append(mark_alone(block.text))
    return [mark for one in found if (mark := marks.read(one)) is not None]


def _in_words(document: Document, block: Block, parts: Sequence[Part]) -> _Begin | None:
    """The part whose words a heading or a line begins with; what follows the last part is none."""
    is_heading = block.kind == "heading"
    if not is_heading and (block.marks or block.kind != "prose"):
        return None
    starts = (block.text[:FAR], _line_start(document, block))
    for part in parts:
        titles = (part.title, part.id.replace("-", " ")) if is_heading and len(part.id) > 3 else ()
        words = filter(None, (*part.heading, *titles))
        if any(_begins(text, one) for one in words for text in starts):
            return _Begin(part.id, "heading" if is_heading else "words")
    behind = is_heading and bare(block.text).casefold().startswith(tuple(listed("behind")))
    return _Begin("", "heading") if behind else None


def _line_start(document: Document, block: Block) -> str:
    """The block with what stands before it on its line in the file."""
    return (_before(document, block) + block.text)[:FAR]


def _before(document: Document, block: Block) -> str:
    r"""What stands before a block on its line in the file: list marks, `\item[(a)]`."""
    start = block.offsets[0]
    line = document.text.rfind("\n", max(0, start - FAR), start) + 1
    return document.text[line:start] if line or start < FAR else ""


def _begins(text: str, words: str) -> bool:
    plain, wanted = bare(text).casefold(), words.casefold()
    if not plain.startswith(wanted):
        return False
    behind = plain[len(wanted) : len(wanted) + 1]
    return not (behind.isascii() and behind.isalnum() and wanted[-1].isalnum())


def _by_items(document: Document, parts: Sequence[Part]) -> dict[str, Stretch]:
    r"""The items of a list of LaTeX that has as many innermost `\item` as there are parts."""
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
    """Where the items of each numbered list of LaTeX begin, and where the list ends.

    An item that holds a list is the items of that.
    """
    found: list[tuple[list[int], int]] = []
    inside: list[list[int]] = []
    for token in _LIST.finditer(text):
        if token[1] == "begin":
            inside.append([])
        elif token[1] == "end" and inside:
            closed = inside.pop()
            found.append((closed, token.start()))
            if inside and closed:
                inside[-1][-1:] = closed
        elif token[1] is None and inside:
            inside[-1].append(token.end())
    return found
