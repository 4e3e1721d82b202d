"""The labels that a clause names: in a list, behind their noun, or bare where no figure is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from workings.grade.choosing_words import EAST, Piece
from workings.grade.clauses import listed

# A bare label is one at the beginning of a clause, or behind such a word.
_BEFORE = ("choosing", "hedge", "negation", "except", "retracted", "corrects", "reason", "yes", "no",
           "and", "filler", "but")  # fmt: skip
_OPERATORS = frozenset("×*·+=/<>≤≥%^°-−÷→")
_DASHES = ("-", "–")
_NO_OR = ("of", "o", "u")  # which are an “or” only between two labels
_BETWEEN = ",，:：)）、.\n"  # signs between the labels of a list and their nouns
CHOSEN, BARE, NAMED = 3, 2, 1  # how surely a list is the answer: chosen in words, by itself, in passing


@dataclass(frozen=True)
class Named:
    """Labels that a clause names together; `either` where they are joined by “or”."""

    pieces: tuple[Piece, ...]
    level: int
    either: bool

    @property
    def labels(self) -> frozenset[str]:
        """The labels; with “either” before a single one there is another, which has no name here."""
        found = {piece.label for piece in self.pieces}
        return frozenset(found | {""} if self.either and len(found) == 1 else found)


def named_in(own: Sequence[Piece], strict: bool = False) -> list[Named]:
    """The lists of labels in a clause that name things to choose from, and are no figures or articles.

    Where it is `strict` a bare number before a word counts things.
    """
    lists = (_List(own, first, end, strict) for first, end in _runs(own))
    return [one.named() for one in lists if one.meant and one.is_meant]


def _runs(own: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Where the pieces stand that may belong to a list: labels, their nouns, what joins them."""
    first = 0
    for at in range(len(own) + 1):
        if at == len(own) or not _belongs(own, at, first):
            if any(piece.label for piece in own[first:at]):
                yield first, at
            first = at + 1


def _belongs(own: Sequence[Piece], at: int, first: int) -> bool:
    piece, labelled = own[at], at > first and bool(own[at - 1].label)
    if piece.text == "." and at > first + 1 and own[at - 1].is_any("noun"):
        return False  # the end of a sentence, not of a label
    if piece.text == "/" or piece.text in _DASHES:
        return labelled and at + 1 < len(own) and bool(own[at + 1].label)
    return bool(piece.label) or piece.is_any("noun", "filler", "and", "or") or piece.text in _BETWEEN


@dataclass(frozen=True)
class _List:
    """The pieces `first` to `end` of a clause, which may name labels."""

    own: Sequence[Piece]
    first: int
    end: int
    strict: bool

    @cached_property
    def places(self) -> list[int]:
        """Where labels stand; the “one” of “the second one” is none."""
        own = self.own
        labels = [at for at in range(self.first, self.end) if own[at].label]
        return [
            at
            for at in labels
            if not (own[at].is_any("cardinal") and at and own[at - 1].is_any("ordinal"))
        ]

    @cached_property
    def ahead(self) -> Sequence[Piece]:
        """What the clause says before the list."""
        return self.own[: self.first]

    @cached_property
    def before(self) -> Sequence[Piece]:
        """What stands in the list before its first label."""
        return self.own[self.first : self.places[0]]

    @cached_property
    def after(self) -> Piece | None:
        """What comes behind the list."""
        return self.own[self.end] if self.end < len(self.own) else None

    @cached_property
    def alone(self) -> bool:
        """Whether the clause says nothing else."""
        rest = self.own[self.end :]
        return not any(
            p.is_any("word", "formula", "right", "wrong", "fault") for p in self.ahead
        ) and all(not p.text.strip(".!?。！？;；") or p.is_any("alone") for p in rest)

    @cached_property
    def meant(self) -> tuple[Piece, ...]:
        """The labels; a number in words is one behind its noun, or where nothing else is said."""
        own = self.own
        found = [own[at] for at in self.places if not own[at].is_any("worded")]  # line 4, one loses
        found = found or [own[at] for at in self.places if self.is_named(at)]
        if not found and self.alone and all(p.is_any("choosing", "hedge", "filler") for p in self.ahead):
            found = [own[at] for at in self.places]
        return tuple(found)

    @cached_property
    def is_meant(self) -> bool:
        """Whether these are labels, and no figures or articles that look like some."""
        named = any(self.is_named(at) for at in self.places)
        if named or any(p.is_any("sure", "worded") for p in self.meant):
            return True
        if any(p.is_any("word", "formula") for p in self.ahead) and self.is_count:
            return False
        colon = any(p.text in ":：" for p in self.before)
        led = bool(self.ahead) and self.ahead[-1].is_any(*_BEFORE)
        return colon or ((led or not self.ahead) and self.may_begin)

    @property
    def is_count(self) -> bool:
        """Whether a number says how many, as in `the factor is 2`."""
        told = any(p.is_any("noun", "wrong", "fault", "alone") for p in self.own)
        return all(p.is_any("number") for p in self.meant) and not told

    @property
    def may_begin(self) -> bool:
        """Whether a bare label may be one: no article before a word, no number of things."""
        after = self.after
        if not self.meant[0].is_any("number"):
            return after is None or not after.is_any("word", "label")
        word = after.text.casefold() if after else ""
        if word in _OPERATORS or (
            after and (after.is_any("formula") or (self.strict and after.kinds == {"word"}))
        ):
            return False
        return word not in listed("counted") and word.removesuffix("s") not in listed("counted")

    def is_named(self, at: int) -> bool:
        """Whether the noun of a label stands before it, or behind an ordinal or a sign of the East."""
        own = self.own
        noun = next((p for p in reversed(own[self.first : at]) if p.is_any("noun")), None)
        if noun is not None and own[at].is_any("last"):
            return False  # line three, the last term
        if noun is not None:
            return not own[at].is_any("worded") or len(noun.text) > 2 or noun.text >= EAST
        behind = next((n for n in range(at + 1, len(own)) if own[n].text != "."), len(own))
        if behind == len(own):
            return False
        if own[at].is_any("ordinal") and own[behind].is_any("cardinal"):
            return True
        return own[behind].is_any("noun") and (
            own[at].is_any("ordinal") or own[behind].text >= EAST or behind > at + 1
        )

    def named(self) -> Named:
        """The labels, how surely they are the answer, and whether one of them is."""
        own, first, last = self.own, self.places[0], self.places[-1]
        led = bool(self.ahead) and self.ahead[-1].is_any("choosing")
        led |= any(p.is_any("choosing") or p.text in ":：" for p in self.before)
        chosen = led or self._stands_alone
        joins = [p for p in own[self.first : self.end] if p.is_any("or") and not p.label]
        either = any(p.text.casefold() not in _NO_OR for p in joins)
        between = own[first:last]
        either |= any(p.text in _DASHES or (p.is_any("or") and not p.label) for p in between)
        return Named(self.meant, CHOSEN if chosen else BARE if self.alone else NAMED, either)

    @property
    def _stands_alone(self) -> bool:
        """Whether “alone” follows, and not what is said only of it."""
        if any(p.is_any("alone") for p in self.own[self.places[-1] + 1 : self.end]):
            return True
        behind = self.own[self.end : self.end + 2]
        if not behind or not behind[0].is_any("alone"):
            return False
        return len(behind) < 2 or behind[0].text >= EAST or not behind[1].is_any("word")
