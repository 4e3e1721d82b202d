"""What a violated condition comes to, in the reader's units."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workings.derivation import Derivation

from workings.formula import Value
from workings.formula.interval import rational
from workings.units import Format, parse_unit, show

DIGITS_SHOWN = Format(digits=6)
BEYOND = 300  # powers of ten that no sentence spells out
SMALLEST_PART = 1_000  # of a unit: 2 bytes are no GB
DIVISIBLE = " to be divisible by "


def violation(what: Derivation, text: str, named: Collection[str], values: Mapping[str, Value]) -> str:
    """The sentence that says which condition does not hold, with the numbers of the letters it names."""
    numbers = ", ".join(f"{n} = {_shown(what, n, v)}" for n, v in values.items() if n in named)
    names = ", ".join(c.name for n, c in what.letters.items() if n in named)
    here = f"here {numbers}; set {names}" if names else f"here {numbers}"
    meaning = what.otherwise.get(text, "")
    said = f"{what.id} does not apply: it needs {needed(text)} ({here})"
    return said + (f": {meaning}" if meaning else "")


def needed(text: str) -> str:
    """A condition as a sentence says it: `L to be divisible by 2`."""
    divisor, divides, multiple = text.partition(" divides ")
    return f"{multiple}{DIVISIBLE}{divisor}" if divides else text


def meaning_of(what: Derivation, name: str) -> str:
    """What a letter, or a result that is used under one, stands for inside a sentence."""
    concept = what.letters.get(name)
    return concept.meaning if concept else lowered(what.uses[name].derivation.title.replace("`", ""))


def lowered(title: str) -> str:
    """A title inside a sentence: abbreviations such as FSDP keep their capitals."""
    first = title.split(maxsplit=1)[0]
    return title if first[1:] != first[1:].lower() else title[0].lower() + title[1:]


def _shown(what: Derivation, name: str, value: Value) -> str:
    """A value with its unit: in its letter's own, or in that which pages use for its dimension."""
    exact = rational(value)
    if abs(exact) >= 10**BEYOND:
        return f"beyond 10^{BEYOND}"
    concept = what.letters.get(name)
    dimension = what.uses[name].derivation.unit if concept is None else concept.dimension
    own = concept.shown_in if concept is not None else None
    unit = parse_unit(own) if own else DIGITS_SHOWN.unit_for(dimension)
    if abs(exact) < unit.scale / SMALLEST_PART:
        unit = Format(units=()).unit_for(dimension)
    return str(show(exact, unit, DIGITS_SHOWN))
