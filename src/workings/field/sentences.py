"""A sentence as its terms and numbers, cut into clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from workings.field.patterns import Piece
from workings.field.terms import Terms

# Where another clause begins: behind a sign that ends one, or at a word that does (the term `breaks`).
_ENDS = re.compile(r"[,;:](?=\s|$)|[，；：、（）()]|\s[—–-]\s|—|\n")


@dataclass(frozen=True)
class Sentence:
    """A stretch of text with its numbers, and what its words name."""

    text: str
    numbers: tuple[Piece, ...]  # in their places in the text
    terms: Terms

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Its terms and numbers, from left to right."""
        named = [Piece(hit.term, hit.start, hit.end) for hit in self.terms.hits(self.text)]
        return tuple(sorted([*named, *self.numbers], key=lambda piece: (piece.start, piece.end)))

    @cached_property
    def named(self) -> frozenset[str]:
        """All terms in it."""
        return frozenset(piece.term for piece in self.pieces)

    @cached_property
    def clauses(self) -> tuple[tuple[tuple[Piece, ...], frozenset[str]], ...]:
        """Its pieces by clause, and their terms; what stands behind `instead of` is one of its own."""
        cuts = [match.end() for match in _ENDS.finditer(self.text)]
        cuts += [piece.start for piece in self.pieces if piece.term in ("breaks", "instead")]
        parts = _cut(self.pieces, sorted({*cuts, len(self.text)}))
        return tuple((part, frozenset(piece.term for piece in part)) for part in parts)

    def says(self, *names: str) -> bool:
        """Whether one of these terms stands in it."""
        return any(piece.term in names for piece in self.pieces)


def _cut(pieces: Sequence[Piece], cuts: Sequence[int]) -> Iterator[tuple[Piece, ...]]:
    since = 0
    for cut in cuts:
        part = tuple(piece for piece in pieces if since <= piece.start < cut)
        if part and part[0].term != "instead":
            yield part
        since = cut
