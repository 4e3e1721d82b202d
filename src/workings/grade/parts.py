"""Where the parts of a hand-in begin, and the blocks that belong to each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from workings.grade.file import Part
from workings.grade.numbering import Begin, Ids, numbered
from workings.grade.places import Place, places_in
from workings.reading.blocks import Block, Document


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


def find_parts(document: Document, parts: Sequence[Part]) -> dict[str, Stretch]:
    """The stretch of every part by id; where no part is marked, the whole document for each of them.

    What stands below a question whose parts are not marked may belong to each of them.
    """
    ids = Ids.of([part.id for part in parts])
    places = places_in(document, parts)
    begins = numbered(ids, places, _reach(document, places))
    found: dict[str, list[Block]] = {part.id: [] for part in parts}
    shared: dict[tuple[str, ...], list[Block]] = {}
    loose: dict[int, list[Block]] = {}
    for begin, block in _pieces(document, begins):
        if len(begin.ids) > 1:
            shared.setdefault(begin.ids, []).append(block)
        elif begin.ids:
            found[begin.ids[0]].append(block)
        elif begin.question:
            loose.setdefault(begin.question, []).append(block)
    stretches = {id_: Stretch(tuple(blocks)) for id_, blocks in found.items()}
    stretches |= {
        id_: Stretch(tuple(blocks), sure=False) for ids_, blocks in shared.items() for id_ in ids_
    }
    for question, blocks in loose.items():
        own = ids.below(question)
        if not any(stretches[id_].blocks for id_ in own):
            stretches |= {id_: Stretch(tuple(blocks), sure=len(own) == 1) for id_ in own}
    if not any(stretch.blocks for stretch in stretches.values()):
        return {part.id: Stretch(document.blocks, sure=len(parts) == 1) for part in parts}
    return stretches


def _reach(document: Document, places: Sequence[Place]) -> list[tuple[int, int]]:
    """How many signs stand before each place and before the end of the label there."""
    texts = [block.text for block in document.blocks]
    sizes = [0, *accumulate(map(_signs, texts))]
    return [
        (sizes[one.block] + _signs(texts[one.block][: one.start]),
         sizes[one.block] + _signs(texts[one.block][: max(label.end for label in one.readings)]))
        for one in places
    ]  # fmt: skip


def _signs(text: str) -> int:
    return len(text) - sum(map(text.count, " \n:."))


def _pieces(document: Document, begins: Sequence[Begin]) -> Iterator[tuple[Begin, Block]]:
    """The blocks behind the first label, cut where a part begins and without the labels."""
    current: Begin | None = None
    rest = list(begins)
    for number, block in enumerate(document.blocks):
        at = 0
        while rest and rest[0].block == number:
            begin = rest.pop(0)
            if current is not None and block.text[at : begin.start].strip():
                yield current, _behind(block, at, begin.start)
            current, at = begin, max(begin.end, begin.start)
        if current is not None:
            yield current, _behind(block, at, len(block.text)) if at else block


def _behind(block: Block, start: int, end: int) -> Block:
    """A stretch of a block without the signs that end a label."""
    rest = block.text[start:end].rstrip()
    size = len(rest) - len(rest.lstrip(" \t\n:：]}"))
    return block.part(start + size, start + len(rest))
