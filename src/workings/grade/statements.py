"""An answer that chooses, cut into sentences and these into clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workings.grade.choosing_words import Piece

_STOPS, _ENDS = ".!?;\n", "。！？；"
_OPEN, _CLOSE = "(（[", ")）]"
LONGEST = 400  # pieces of a sentence
_DASHES = ("-", "–", "—")


@dataclass
class Clause:
    """The pieces of a clause; an `aside` is a reason, stands in brackets or explains what was named."""

    sentence: int
    aside: bool = False
    pieces: list[Piece] = field(default_factory=list)

    def has(self, *kinds: str) -> bool:
        """Whether some piece may be one of these."""
        return any(piece.is_any(*kinds) for piece in self.pieces)


def sentences(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The pieces of each sentence with the sign that ends it."""
    found: list[Piece] = []
    for at, piece in enumerate(pieces):
        found.append(piece)
        if piece.text in _ENDS or len(found) >= LONGEST or (piece.text in _STOPS and _ends(pieces, at)):
            yield found
            found = []
    if found:
        yield found


def _ends(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a stop or the end of a line ends a sentence: not that of `No. 3` or of a broken line."""
    before, after = pieces[at - 1 : at], pieces[at + 1 : at + 3]
    if not after or pieces[at].text == ";":
        return True
    if pieces[at].text == "\n":
        return not (len(after[0].text) > 1 and after[0].text.islower())
    if after[0].start == pieces[at].end and after[0].text != "\n":
        return False
    if pieces[at].text != ".":
        return True
    if before and before[0].is_any("noun") and after[0].label and len(before[0].text) < 4:
        return False
    ordinal = before and before[0].is_any("number") and after[0].is_any("noun")
    return not (ordinal and not (len(after) > 1 and after[1].label))


def clauses(sentence: Sequence[Piece], number: int) -> list[Clause]:
    """A sentence cut at commas, dashes, brackets, “but”, and where a reason begins."""
    out = [Clause(number)]
    depth, rest, named = 0, False, False
    for at, piece in enumerate(sentence):
        after = sentence[at + 1] if at + 1 < len(sentence) else None
        cut = False
        if piece.text in _OPEN:
            depth, cut = depth + 1, True
        elif piece.text in _CLOSE and depth:
            depth, cut = depth - 1, True
        elif piece.text in ":：" and after and after.is_any("fault") and _names(sentence[at + 1 :]):
            cut = True  # the sum lost its N: mistake in line 3
        elif (
            piece.text in ":："
            and (named or _only(out[-1], "yes", "no"))
            and not out[-1].has("corrects")
            and not (after and after.is_any("yes", "no", "right", "wrong"))
        ) or (piece.is_any("reason") and not piece.label):
            rest = cut = True
        elif piece.text in ",，" or _is_dash(sentence, at) or piece.is_any("cut"):
            cut = piece.is_any("cut") or not _joins(sentence, at) or out[-1].has("and")
            cut &= not (after and after.is_any("that"))
            rest = rest and named
        elif piece.is_any("but") and not piece.label:
            cut = True
        elif piece.is_any("and") and not piece.label:
            cut = not _joins(sentence, at) and _opens_list(sentence, at + 1)
        if cut:
            out.append(Clause(number, depth > 0 or rest))
        if not (cut and not piece.is_any("but", "cut")):
            out[-1].pieces.append(piece)
        named = named or (bool(piece.label) and (not piece.is_any("cardinal") or out[-1].has("noun")))
    return [clause for clause in out if clause.pieces]


def _names(pieces: Sequence[Piece]) -> bool:
    return any(piece.label for piece in pieces)


def _only(clause: Clause, *kinds: str) -> bool:
    return bool(clause.pieces) and all(piece.is_any(*kinds) for piece in clause.pieces)


def _is_dash(sentence: Sequence[Piece], at: int) -> bool:
    spaced = at and sentence[at].start > sentence[at - 1].end
    return sentence[at].text in _DASHES and bool(spaced)


def _joins(sentence: Sequence[Piece], at: int) -> bool:
    """Whether a comma or “and” stands between two labels."""
    before = at - 1
    while (
        before >= 0
        and (sentence[before].text in _CLOSE or sentence[before].is_any("noun"))
        and not sentence[before].label
    ):
        before -= 1
    return before >= 0 and bool(sentence[before].label) and _opens_list(sentence, at + 1)


def _opens_list(sentence: Sequence[Piece], at: int) -> bool:
    """Whether a label follows at once, but for its noun, an article, “and”."""
    while at < len(sentence) and not sentence[at].label:
        if not sentence[at].is_any("noun", "filler", "and", "or"):
            return False
        at += 1
    return at < len(sentence)
