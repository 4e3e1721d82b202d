"""What the clauses of an answer say of the things to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workings.grade.choosing_words import Piece, pieces
from workings.grade.file import Answer
from workings.grade.labels_named import BARE, CHOSEN, NAMED, Named, named_in
from workings.grade.own_answer import in_own_words
from workings.grade.statements import Clause, clauses, sentences
from workings.reading.blocks import Block

MOST = 400  # sentences of a part that are read


@dataclass(frozen=True)
class Said:
    """What a clause says: the labels, how surely (`level`), and where (offsets in the file).

    They are `chosen` or turned down; `doubted` where another may be meant; and with `corrects` they
    stand in place of what was said before, as with `concludes`, which says “so line 2” alone.
    """

    labels: frozenset[str]
    level: int
    sentence: int
    start: int
    end: int
    chosen: bool = True
    doubted: bool = False
    corrects: bool = False
    concludes: bool = False


def said_at(
    block: Block, own: Sequence[Piece], labels: frozenset[str], level: int, sentence: int, *,
    chosen: bool = True, doubted: bool = False, corrects: bool = False, concludes: bool = False,
) -> Said:  # fmt: skip
    """What these pieces of a block say."""
    start, end = block.offsets[own[0].start], block.offsets[own[-1].end - 1] + 1
    return Said(labels, level, sentence, start, end, chosen, doubted, corrects, concludes)


def read_sentences(
    blocks: Sequence[Block], names: Sequence[str]
) -> Iterator[tuple[Block, int, list[Piece]]]:
    """The sentences of these blocks, each with its block and number."""
    number = 0
    for block in blocks:
        for sentence in sentences(list(pieces(block, names))):
            yield block, number, sentence
            number += 1
            if number > MOST:
                return


def labels_said(answer: Answer, blocks: Sequence[Block]) -> list[Said]:
    """What each clause says of the labels; where none is named, the choices' own words."""
    names = [choice.label for choice in answer.choices]
    out: list[Said] = []
    fine = False  # whether the clause before said of lines that they are right
    for block, number, sentence in read_sentences(blocks, names):
        asked = any(piece.text in "?？" for piece in sentence)
        own = clauses(sentence, number)
        for at, clause in enumerate(own):
            found = list(_meant(answer, clause))
            corrects = _corrects(own[: at + 1])
            for one in found:
                labels, level, chosen = _read(answer, block, clause, one, fine)
                doubted = one.either or asked or clause.aside or clause.has("hedge")
                out.append(said_at(block, one.pieces, labels, level, number, chosen=chosen,
                                   doubted=doubted, corrects=corrects,
                                   concludes=_concludes(clause)))  # fmt: skip
            if found:
                fine = clause.has("right") and not clause.has("negation")
    return out or _in_words(answer, blocks)


def _meant(answer: Answer, clause: Clause) -> Iterator[Named]:
    """The first list of a clause, and others in doubt; of an aside only what it brings into doubt."""
    found = named_in(clause.pieces, strict=answer.kind == "line")
    if clause.aside and (clause.has("negation") or not clause.has("hedge", "or")):
        return
    for place, one in enumerate(found):
        if not place or one.either or clause.has("hedge"):
            yield one


def _read(
    answer: Answer, block: Block, clause: Clause, one: Named, fine: bool
) -> tuple[frozenset[str], int, bool]:
    """The labels that are meant, how surely, and whether they are chosen."""
    explained = block.text[clause.pieces[-1].end :].lstrip()[:1] in (":", "：")
    level, chosen = _polarity(
        answer, clause, NAMED if explained and one.level == BARE else one.level, fine
    )
    if clause.has("except"):
        return frozenset(choice.label for choice in answer.choices) - one.labels, CHOSEN, chosen
    return one.labels, level, chosen and not clause.has("retracted")


def _corrects(own: Sequence[Clause]) -> bool:
    """Whether the last of these clauses stands in place of what was said before it."""
    if any(clause.has("corrects") for clause in own):
        return True
    before = own[-2] if len(own) > 1 else None
    if before is None:
        return False
    if all(piece.is_any("no") for piece in before.pieces):
        return len(own) > 2 or before.sentence > 0
    return before.has("retracted") and own[-1].has("but")


def _concludes(clause: Clause) -> bool:
    """Whether a clause is the conclusion and nothing else: so line 2."""
    said = [piece for piece in clause.pieces if piece.kinds != {"sign"}]
    says = ("concluding", "choosing", "filler", "noun", "label")
    return clause.has("concluding") and all(piece.is_any(*says) for piece in said)


def _polarity(answer: Answer, clause: Clause, level: int, fine: bool) -> tuple[int, bool]:
    """How surely a clause chooses what it names, and whether it does: a line for being wrong.

    “Not” by itself says the opposite of the clause before: lines 1 and 3 are fine, line 2 is not.
    """
    negated = clause.has("negation") and not clause.pieces[-1].is_any("yes")
    if answer.kind == "line":
        right, wrong = clause.has("right", "yes"), clause.has("wrong", "fault")
        if right or wrong:
            chosen = (wrong and not right) != negated
            return CHOSEN if chosen else level, chosen
        return level, fine if negated else True
    if clause.has("wrong") or any(piece.is_any("no") for piece in clause.pieces[-2:]):
        return level, negated and clause.has("wrong")
    return (CHOSEN if clause.has("right", "yes") and not negated else level), not negated


def _in_words(answer: Answer, blocks: Sequence[Block]) -> list[Said]:
    """The choice whose own words stand in the first block that has those of one."""
    for block in blocks:
        if found := frozenset(in_own_words(answer, block.text)):
            end = block.offsets[len(block.text.split("\n")[0])]
            return [Said(found, CHOSEN, 0, block.offsets[0], end, doubted=len(found) > 1)]
    return []
