"""Every figure of a scenario by its key, those that follow from others included."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import msgspec

from workings.scenario.derived import broken
from workings.scenario.errors import ScenarioError
from workings.scenario.inputs import SECTIONS, Alone, Input
from workings.scenario.keys import MAY_BE_NOTHING, QUANTITIES
from workings.scenario.network import is_torus, missing_axes
from workings.scenario.order import EXPECTED, order_of, replicas_before_stages
from workings.units import Quantity, UnitError, example_of, parse_quantity

# The axes whose product is the number of devices.
WORLD = ("dp", "fsdp", "tp", "cp", "pp")


def values_of(path: Path, given: Input) -> dict[str, Quantity]:
    """The figures of an input by their keys, in base units. Raises ScenarioError."""
    values = _plain(path, {name: getattr(given, name) for name in SECTIONS})
    _check(path, values)
    order = order_of(given.layout.order)
    if order is None:
        found = given.layout.order[:60]
        raise ScenarioError(f"{path.name}: layout.order: found {found!r}, expected {EXPECTED}")
    values["layout.dp_before_pp"] = Quantity(Fraction(replicas_before_stages(order)))
    values["hardware.torus"] = Quantity(Fraction(is_torus(path, given.hardware)))
    return {key: value for key, value in values.items() if key not in missing_axes(given)}


def values_alone(path: Path, given: Alone) -> dict[str, Quantity]:
    """The figures of a model, of hardware, or of both, by their keys. Raises ScenarioError."""
    tables = {"model": given.model, "hardware": given.hardware}
    values = _plain(path, {name: table for name, table in tables.items() if table is not None})
    _check(path, values)
    if given.hardware is not None:
        values["hardware.torus"] = Quantity(Fraction(is_torus(path, given.hardware)))
    return values


def _check(path: Path, values: Mapping[str, Quantity]) -> None:
    """Raise ScenarioError for the first rule that the input does not keep to."""
    if missed := broken(values):
        rule, expected = missed
        found = values[rule.key].value
        raise ScenarioError(f"{path.name}: {rule.key}: found {found}, expected {expected}")


def _plain(path: Path, given: Mapping[str, msgspec.Struct]) -> dict[str, Quantity]:
    """The figures as the sections of an input have them."""
    values: dict[str, Quantity] = {}
    for section, struct in given.items():
        for name in struct.__struct_fields__:
            key, value = f"{section}.{name}", getattr(struct, name)
            if isinstance(value, int):
                values[key] = Quantity(Fraction(value))
            elif key in QUANTITIES and value is not None:
                values[key] = _quantity(path, key, value)
    return values


def _quantity(path: Path, key: str, text: str) -> Quantity:
    try:
        quantity = parse_quantity(text, QUANTITIES[key])
    except UnitError as error:
        raise ScenarioError(f"{path.name}: {key}: {error}") from error
    wanted, least = QUANTITIES[key], key in MAY_BE_NOTHING
    if quantity.dimension != wanted or quantity.value < 0 or (quantity.value == 0 and not least):
        raise ScenarioError(
            f"{path.name}: {key}: found {text!r}, expected a positive quantity in {wanted}, such as "
            f"'{example_of(wanted)}'"
        )
    return quantity
