"""What a concept is: a meaning that formulas give letters to."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from workings.units import BYTE, ONE, SECOND, Dimension


class Domain(Enum):
    """Which numbers a concept may take; probes and SymPy's assumptions follow it."""

    POSITIVE_INTEGER = "a whole number from 1"
    WHOLE = "a whole number from 0"
    FLAG = "0 or 1"
    POSITIVE = "a number above 0"
    NONNEGATIVE = "a number from 0"
    SHARE = "a number above 0 and at most 1"
    PART = "a number from 0 to 1"

    @property
    def integer(self) -> bool:
        """Whether it counts."""
        return self in (Domain.POSITIVE_INTEGER, Domain.WHOLE, Domain.FLAG)

    @property
    def zero(self) -> bool:
        """Whether it may be nothing."""
        return self in (Domain.WHOLE, Domain.FLAG, Domain.NONNEGATIVE, Domain.PART)

    @property
    def bounded(self) -> bool:
        """Whether it is never more than 1."""
        return self in (Domain.FLAG, Domain.SHARE, Domain.PART)

    def allows(self, value: Fraction) -> bool:
        """Whether a number is one of them."""
        if self.integer and value.denominator != 1:
            return False
        if self.bounded and value > 1:
            return False
        return value >= 0 if self.zero else value > 0


class Concept(NamedTuple):
    """A meaning that formulas give letters to.

    `name` is what `--set` and scenarios call it, `glyph` the letter it has by default, `supplied`
    the scenario key that gives its value, `noun` what a count counts, `shown_in` a unit of its own
    where the document's prefix would be absurd (2 bytes a value is not 0.000000002 GB), `kin` the
    concept that this one is another reading of, so that both may share a letter on a page.
    """

    name: str
    meaning: str
    glyph: str
    dimension: Dimension = ONE
    domain: Domain = Domain.POSITIVE
    supplied: str | None = None
    noun: str | None = None
    shown_in: str | None = None
    kin: str | None = None

    @property
    def thousand(self) -> int:
        """What a suffix k stands for: 1,000, or 0 where people mean now 1,000 and now 1,024 by it.

        A sequence of 8k tokens has 8,192; 15T tokens of a run and 70B parameters are powers of ten.
        """
        if self.name == "sequence_length":
            return 1024
        decimal = not self.domain.integer or self.noun == "parameters" or self.name == "training_tokens"
        return 1000 if decimal else 0


def count(name: str, meaning: str, glyph: str, supplied: str | None, noun: str) -> Concept:
    """A whole number of things, at least one."""
    return Concept(name, meaning, glyph, ONE, Domain.POSITIVE_INTEGER, supplied, noun)


def whole(name: str, meaning: str, glyph: str, supplied: str | None, noun: str) -> Concept:
    """A whole number of things, perhaps none."""
    return Concept(name, meaning, glyph, ONE, Domain.WHOLE, supplied, noun)


def flag(name: str, meaning: str, glyph: str, supplied: str | None) -> Concept:
    """1 where something is there, 0 where it is not."""
    return Concept(name, meaning, glyph, ONE, Domain.FLAG, supplied)


def share(name: str, meaning: str, glyph: str, supplied: str | None = None) -> Concept:
    """A part of a whole, above 0 and at most 1."""
    return Concept(name, meaning, glyph, ONE, Domain.SHARE, supplied)


def part(name: str, meaning: str, glyph: str) -> Concept:
    """A part of a whole, perhaps nothing of it."""
    return Concept(name, meaning, glyph, ONE, Domain.PART)


def width(name: str, meaning: str, glyph: str, supplied: str | None, *, zero: bool = False) -> Concept:
    """Bytes a value; 0 where such values need not be kept at all."""
    domain = Domain.NONNEGATIVE if zero else Domain.POSITIVE
    return Concept(name, meaning, glyph, BYTE, domain, supplied, shown_in="byte")


def seconds(name: str, meaning: str, glyph: str, supplied: str | None = None) -> Concept:
    """A time that may be nothing."""
    return Concept(name, meaning, glyph, SECOND, Domain.NONNEGATIVE, supplied)
