"""The inputs of a page as its controls show them: what each means, its unit and what it may be."""

from __future__ import annotations

from collections.abc import Callable

from workings.formula.javascript import Json
from workings.scenario import Scenario
from workings.scenario.derived import short
from workings.scenario.keys import MAY_BE_NOTHING, QUANTITIES
from workings.units import ONE, Format, Unit, example_of, parse_unit, show
from workings.vocabulary import concept_named, concepts
from workings.vocabulary.concept import Concept

_EXACT = Format(digits=30)
# The units in which controls show quantities; the first in which a value is exact and from 1 on is taken.
_UNITS = {
    "byte": ("TB", "GB", "MB", "kB", "byte"),
    "byte/s": ("TB/s", "GB/s", "MB/s", "byte/s"),
    "FLOP/s": ("TFLOP/s", "GFLOP/s", "FLOP/s"),
    "s": ("day", "h", "s", "ms", "us", "ns"),
    "currency/s": ("USD/h", "USD/s"),
}


def input_of(key: str, scenario: Scenario, unit_of: Callable[[Unit], str]) -> Json:
    """One input: a key of the scenario with its value there."""
    figure, concept = scenario.values[key], _concept(key)
    units = [parse_unit(text) for text in _UNITS.get(str(figure.dimension), ())]
    for unit in units:
        unit_of(unit)
    amounts = [unit for unit in units if figure.value >= unit.scale]
    unit = amounts[0] if amounts else Unit("1", ONE, figure.value / figure.value if figure.value else 1)
    return {
        "key": key, "meaning": concept.meaning if concept else short(key).replace("_", " "),
        "value": str(figure.value), "dimension": str(figure.dimension),
        "text": str(show(figure.value, unit, _EXACT)), "unit": unit.text,
        "whole": key not in QUANTITIES, "least": 0 if key in MAY_BE_NOTHING else 1,
        "thousand": concept.thousand if concept else 1000, "example": example_of(figure.dimension),
    }  # fmt: skip


def _concept(key: str) -> Concept | None:
    """The concept that a key gives a value: that of its name, else the first that no other lends."""
    named = concept_named(short(key))
    if named is not None and named.supplied == key:
        return named
    found = [one for one in concepts() if one.supplied == key]
    return next((one for one in found if one.kin is None), found[0] if found else None)
