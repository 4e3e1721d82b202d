"""What the site says of an entry or a chapter in words: titles, summaries, units."""

from __future__ import annotations

import re

from workings.derivation import Derivation
from workings.document.blocks import Code, Line, Text, slug
from workings.formula import Name, Relations, plain
from workings.units import ONE

_UNITS = {"byte": "bytes", "FLOP": "FLOPs", "s": "seconds"}


def summary(what: Derivation) -> str:
    """What the entry says, in a sentence: for those who see no more of it."""
    said = plain(result(what), units=False)
    convention = plainly(what.convention)
    return f"{plainly(what.title)}: {said}. {convention}".strip()


def result(what: Derivation) -> Relations:
    """The result as an equation, or the condition that it is."""
    if what.head is None:
        return what.condition
    return Relations(Name(what.head), (("=", what.result),))


def first_sentence(text: str) -> str:
    """A text up to its first full stop; what it leaves out is not promised by a colon."""
    return re.split(r"(?<=[.?!])\s", plainly(text), maxsplit=1)[0].removesuffix(":") or text


def counted_in(what: Derivation) -> str:
    """Its unit, or what its count counts, as words behind its name."""
    return (
        f", in {unit_of(what)}" if what.unit != ONE else f", a number of {what.noun}" if what.noun else ""
    )


def unit_of(what: Derivation) -> str:
    """Its unit in words, where it has a word."""
    return _UNITS.get(str(what.unit), str(what.unit))


def plainly(text: str) -> str:
    """Words without the signs that mark formulas in them."""
    return text.replace("`", "")


def marked(text: str) -> Line:
    """Words, those between backticks as code."""
    parts = enumerate(text.split("`"))
    return tuple(Code(part) if place % 2 else Text(part) for place, part in parts if part)


def chapter_title(topic: str) -> str:
    """A chapter as a title names it."""
    words = topic.replace("_", " ")
    return words[:1].upper() + words[1:]


def anchor(title: str) -> str:
    """What a heading is led to by."""
    return slug(title).strip("-").lower()
