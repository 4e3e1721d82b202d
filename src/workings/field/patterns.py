"""Patterns of terms: which of them have to stand in a clause, in what order, and which must not.

    accumulation activations multiply|grow !only       all of them, in any order, and no `only`
    last_stage<most                                     one behind the other
    #10+per_parameter                                   a number and a term with nothing between
    (batch|sequence)<(doubles|grows)                    any of the first before any of the second
    #6 #:parameters                                     a number that the page gives this concept alone
    s: fsdp activations shard                           in the whole sentence, in place of one clause

What denies (`not`) must not stand there either, unless the pattern names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

NEAR = 3  # signs between what stands side by side
_SENTENCE = "s:"
_PART = re.compile(r"([<+])")
_BAR = re.compile(r"\|(?![^()]*\))")  # none inside brackets


@dataclass(frozen=True, slots=True)
class Piece:
    """A term or a number of a text."""

    term: str
    start: int
    end: int
    value: Fraction | None = None
    concepts: frozenset[str] = frozenset()  # of which the page gives a number as the value


@dataclass(frozen=True, slots=True)
class Slot:
    """Alternatives, one of which has to stand there, or with `absent` none."""

    ways: tuple[tuple[str, ...], ...]  # each: terms with `<` or `+` between
    absent: bool = False


@dataclass(frozen=True)
class Pattern:
    """A pattern, read."""

    slots: tuple[Slot, ...]
    sentence: bool = False

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """Of each slot that has to be there the terms that it may begin with."""
        first = (
            {name for way in slot.ways for name in _names(way[0])}
            for slot in self.slots
            if not slot.absent
        )
        return tuple(frozenset("#" if name[0] == "#" else name for name in names) for names in first)

    def may_match(self, terms: frozenset[str]) -> bool:
        """Whether these terms leave it possible."""
        for names in self.needs:  # noqa: SIM110 - asked of every form and sentence, and twice as fast
            if names.isdisjoint(terms):
                return False
        return True

    @property
    def names(self) -> frozenset[str]:
        """Every term that it speaks of."""
        parts = (part for slot in self.slots for way in slot.ways for part in way[::2])
        return frozenset(name for part in parts for name in _names(part))

    def matches(self, pieces: Sequence[Piece], terms: Collection[str] | None = None) -> bool:
        """Whether pieces of a text are as the pattern has them; `terms` are all that stand there."""
        named = terms if terms is not None else {piece.term for piece in pieces}
        return all(slot.absent != _any(slot, pieces, named) for slot in self.slots)


@cache
def pattern_of(text: str) -> Pattern:
    """Read a pattern."""
    sentence = text.startswith(_SENTENCE)
    slots = tuple(_slot(word) for word in text.removeprefix(_SENTENCE).split())
    found = Pattern(slots, sentence)
    if "not" not in found.names:
        found = Pattern((*slots, Slot((("not",),), absent=True)), sentence)
    return found


@cache
def slots_of(text: str) -> Pattern:
    """Read what a fact is about, or what speaks against it; nothing is added."""
    return Pattern(tuple(_slot(word) for word in text.split()))


def _slot(word: str) -> Slot:
    ways = tuple(tuple(_PART.split(way)) for way in _BAR.split(word.removeprefix("!")))
    return Slot(ways, word.startswith("!"))


def _any(slot: Slot, pieces: Sequence[Piece], named: Collection[str]) -> bool:
    """Whether one of the alternatives stands there."""
    return any(
        way[0] in named if len(way) == 1 and way[0][0] not in "#(" else _stands(way, pieces)
        for way in slot.ways
        if way[0] in named or way[0][0] in "#("
    )


def _stands(way: Sequence[str], pieces: Sequence[Piece]) -> bool:
    """Whether terms stand there in their order."""
    ends = [piece for piece in pieces if _is(way[0], piece)]
    for sign, name in zip(way[1::2], way[2::2], strict=True):
        fits = _behind if sign == "<" else _beside
        ends = [piece for piece in pieces if _is(name, piece) and any(fits(one, piece) for one in ends)]
    return bool(ends)


def _behind(one: Piece, other: Piece) -> bool:
    return one.end <= other.start


def _beside(one: Piece, other: Piece) -> bool:
    return 0 <= other.start - one.end <= NEAR


@cache
def _names(part: str) -> tuple[str, ...]:
    """The names in `(a|b)`, or the one that it is."""
    return tuple(part.strip("()").split("|"))


def _is(part: str, piece: Piece) -> bool:
    """Whether a piece is one of these names."""
    return any(_is_named(name, piece) for name in _names(part))


def _is_named(name: str, piece: Piece) -> bool:
    """Whether a piece is this term, or a number: `#` any, `#4` this one, `#>1` a larger one.

    `#:heads` is one that the page gives as the value of this concept, and of no other.
    """
    if name.startswith("#:"):
        return piece.concepts == {name[2:]}
    if not name.startswith("#"):
        return piece.term == name
    if piece.value is None or name == "#":
        return piece.value is not None
    compare, least = _compared(name)
    return compare(piece.value, least)


@cache
def _compared(name: str) -> tuple[Callable[[Fraction, Fraction], bool], Fraction]:
    if name.startswith("#>"):
        return (lambda value, least: value > least), Fraction(name[2:])
    return (lambda value, wanted: value == wanted), Fraction(name[1:])


def terms_in(*texts: str) -> Iterator[str]:
    """The terms that patterns name, numbers aside."""
    for text in filter(None, texts):
        yield from (name for name in pattern_of(text).names if not name.startswith("#"))
