"""The inputs of a page as its controls show them: what each means, its unit and what it may be."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from workings.formula.readings.javascript import Json
from workings.scenario import Scenario, ScenarioError, preset_names, read_preset
from workings.scenario.derived import short
from workings.scenario.inputs import SECTIONS
from workings.scenario.keys import MAY_BE_NOTHING, QUANTITIES
from workings.units import Dimension, Format, Quantity, Unit, parse_quantity, parse_unit, show
from workings.vocabulary import concept_named, concepts
from workings.vocabulary.concept import Concept

LETTERS = "letters."  # the section of inputs that no scenario has
_EXACT = Format(digits=30)
# The units in which controls write quantities: the first of which a value is at least one.
_UNITS = {
    "byte": ("TB", "GB", "MB", "byte"),
    "byte/s": ("TB/s", "GB/s", "MB/s"),
    "FLOP/s": ("TFLOP/s", "GFLOP/s"),
    "s": ("day", "h", "s", "ms", "us", "ns"),
    "currency/s": ("USD/h",),
}

# What keys mean that no formula asks for: others follow from them.
_MEANS = {
    "hardware.memory_marketing": "memory of one device, as it is sold",
    "hardware.compute_tf32": "compute of one device in TF32",
    "hardware.compute_fp32": "compute of one device in FP32",
    "hardware.torus_axes": "axes of the torus",
}


def input_of(key: str, scenario: Scenario) -> Json:
    """One input: a key of the scenario with its value there."""
    figure, concept = scenario.values[key], _concept(key)
    units = _units(figure.dimension)
    section, _, name = key.partition(".")
    kind = SECTIONS[section].__annotations__[name].split(" ")[0]
    nothing = kind in ("Flag", "Whole") or key in MAY_BE_NOTHING
    return {
        "key": key, "meaning": concept.meaning if concept else _MEANS.get(key, name.replace("_", " ")),
        "value": str(figure.value), "dimension": str(figure.dimension), "text": written(figure),
        "unit": _unit(figure, units).text, "units": [unit.text for unit in units],
        "whole": key not in QUANTITIES, "least": 0 if nothing else 1,
        "most": 1 if kind == "Flag" else None, "thousand": concept.thousand if concept else 1000,
    }  # fmt: skip


def letter_of(name: str, value: Fraction, concept: Concept) -> Json:
    """One input that no scenario has: a concept to which the page itself gives a value."""
    figure, domain = Quantity(value, concept.dimension), concept.domain
    units = _units(figure.dimension)
    return {
        "key": f"{LETTERS}{name}", "meaning": concept.meaning,
        "value": str(value), "dimension": str(figure.dimension), "text": written(figure),
        "unit": _unit(figure, units).text, "units": [unit.text for unit in units],
        "whole": domain.integer, "least": 0 if domain.zero else 1, "most": 1 if domain.bounded else None,
        "thousand": concept.thousand,
    }  # fmt: skip


def written(figure: Quantity) -> str:
    """A figure as text that reads back to it."""
    return str(show(figure.value, _unit(figure, _units(figure.dimension)), _EXACT))


def units_of_inputs() -> Iterator[Unit]:
    """Every unit in which an input may be written."""
    return (parse_unit(text) for texts in _UNITS.values() for text in texts)


def presets_of(keys: Collection[str], scenario: Scenario) -> list[Json]:
    """The presets of hardware with a network of the same kind, by the inputs of a page that they give."""
    wanted = [key for key in keys if key.startswith("hardware.")]
    found = []
    for name in preset_names("hardware") if wanted else ():
        preset = read_preset("hardware", name)
        figures = {key: one["value"] for key, one in preset.items() if isinstance(one, dict)}
        figures.setdefault("memory", figures["memory_marketing"])
        if (figures.get("network", "switch") == "torus") != (
            scenario.values["hardware.torus"].value == 1
        ):
            continue
        try:
            values = {key: written(_figure(key, figures[short(key)])) for key in wanted}
        except (KeyError, ScenarioError):  # one that does not give them all
            continue
        found.append({"id": name, "name": preset.get("name", name), "values": values})
    return found


def _figure(key: str, said: str | int) -> Quantity:
    return parse_quantity(str(said), QUANTITIES.get(key))


def _units(dimension: Dimension) -> list[Unit]:
    return [parse_unit(text) for text in _UNITS.get(str(dimension), ())]


def _unit(figure: Quantity, units: list[Unit]) -> Unit:
    """The first unit of which a figure is at least one, or the base unit."""
    base = Format(units=()).unit_for(figure.dimension)
    return next((unit for unit in units if figure.value >= unit.scale), base)


def _concept(key: str) -> Concept | None:
    """The concept that a key gives a value: that of its name, else the first that no other lends."""
    named = concept_named(short(key))
    if named is not None and named.supplied == key:
        return named
    found = [one for one in concepts() if one.supplied == key]
    return next((one for one in found if one.kin is None), found[0] if found else None)
