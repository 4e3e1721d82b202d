"""Conditions as JSON, and every table that a live page's script reads instead of writing it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workings.derivation import Derivation
from workings.derivation.pins import letters_of
from workings.derivation.violated import (
    BEYOND,
    DIGITS_SHOWN,
    DIVISIBLE,
    SMALLEST_PART,
    meaning_of,
    needed,
)
from workings.formula.readings.javascript import Json, expression, figures, signs, unit_table
from workings.proof.setting import Divides, Given
from workings.units import Format, Unit, parse_unit
from workings.values.worked import MORE_DIGITS


def style_json(style: Format) -> Json:
    """How numbers are written."""
    return {"units": list(style.units), "digits": style.digits, "decimals": style.decimals}


def tables(units: Iterable[Unit] = ()) -> dict[str, Any]:
    """What `Workings.tables` is on a page that prints these units besides a style's own."""
    chosen = [parse_unit(text) for text in DIGITS_SHOWN.units]
    limits = {"MORE_DIGITS": MORE_DIGITS, "BEYOND": BEYOND, "SMALLEST_PART": SMALLEST_PART}
    return {
        "figures": {**figures(), **limits},
        "units": unit_table([*chosen, *units]),
        "signs": signs(),
        "violated": style_json(DIGITS_SHOWN),
        "divisible": DIVISIBLE,
    }


def conditions(what: Derivation, order: Sequence[str]) -> list[Json]:
    """What a derivation needs, and the words of the sentence where it does not hold.

    `order` is that in which its letters and the results it uses have their values.
    """
    given = zip(what.given, what.conditions, strict=True)
    return [_condition(what, text, condition, order) for text, condition in given]


def _condition(what: Derivation, text: str, given: Given, order: Sequence[str]) -> Json:
    named = letters_of(given)
    return {
        "id": what.id,
        "text": needed(text),
        "given": given_json(given),
        "letters": [
            [name, *_printed_in(what, name), meaning_of(what, name)] for name in order if name in named
        ],
        "settable": [concept.name for name, concept in what.letters.items() if name in named],
        "otherwise": what.otherwise.get(text, ""),
        "instead": what.holds_for.get(text, ""),
    }


def given_json(given: Given) -> Json:
    """A condition: relations, or `["divides", divisor, multiple, text]`."""
    if isinstance(given, Divides):
        return ["divides", expression(given.divisor), expression(given.multiple), str(given)]
    return expression(given)


def _printed_in(what: Derivation, name: str) -> tuple[str | None, str]:
    """The unit of a letter's own, if it has one, and its dimension."""
    concept = what.letters.get(name)
    if concept is None:
        return None, str(what.uses[name].derivation.unit)
    return concept.shown_in, str(concept.dimension)
