"""Scenarios: model, layout, hardware and training as validated TOML, and what they give letters.

Every error is one sentence naming the file, the key, what was found and what was expected.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from workings.errors import UserError
from workings.units import (
    BYTE,
    FLOP,
    NUMBER,
    SECOND,
    Dimension,
    Quantity,
    UnitError,
    parse_number,
    parse_quantity,
)
from workings.vocabulary import concept_named

PRESETS = Path(__file__).parent / "presets"
MAX_BYTES = 1_000_000

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10**15)]
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=80)]


class ScenarioError(UserError):
    """A scenario or setting that cannot be used."""


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Sizes of the model."""

    d_model: Count
    d_ff: Count
    blocks: Count
    name: str = ""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parallel degrees, and the torus axes that carry each."""

    fsdp: Count = 1
    tp: Count = 1
    pp: Count = 1
    fsdp_axes: Count = 1
    tp_axes: Count = 1
    devices: Count | None = None


class Hardware(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One device: `memory` is what a plan may use, apart from the two sizes it goes by."""

    compute: Text
    link_one_way: Text
    memory_marketing: Text
    memory_reported: Text | None = None
    memory: Text | None = None
    name: str = ""


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Batch, and bytes a value of each kind takes."""

    batch: Count
    sequence_length: Count
    microbatches: Count = 1
    segments: Count = 1
    master_width: Text = "4 byte"
    gradient_width: Text = "4 byte"
    moment_width: Text = "4 byte"
    activation_width: Text = "2 byte"
    gather_width: Text = "2 byte"
    reduce_width: Text = "2 byte"


class _Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    model: Model
    hardware: Hardware
    training: Training
    layout: Layout = Layout()
    name: str = ""


@dataclass(frozen=True)
class Scenario:
    """A validated scenario: the values that concepts ask for, and where figures come from."""

    name: str
    file: str
    values: Mapping[str, Quantity]
    sources: Mapping[str, str] = field(default_factory=dict)


# Which dimension each quantity of the input must have.
_QUANTITIES: dict[str, Dimension] = {
    "hardware.compute": FLOP / SECOND,
    "hardware.link_one_way": BYTE / SECOND,
    "hardware.memory": BYTE,
    "hardware.memory_marketing": BYTE,
    "hardware.memory_reported": BYTE,
    **{f"training.{name}_width": BYTE
       for name in ("master", "gradient", "moment", "activation", "gather", "reduce")},
}  # fmt: skip


def load_scenario(where: str | Path, settings: Mapping[str, str] | None = None) -> Scenario:
    """Read a scenario by preset name or path, with `settings` put over it. Raises ScenarioError.

    A setting whose concept is a key of the input replaces that key, so what depends on it follows
    (`batch` changes the tokens); other settings are left to `bind`.
    """
    path = _find("scenarios", where)
    raw = _read(path)
    sources: dict[str, str] = {}
    for section in ("model", "hardware"):
        if isinstance(raw.get(section), dict):
            raw[section] = _with_preset(path, section, raw[section], sources)
    set_here = {_override(raw, name, text): name for name, text in (settings or {}).items()}
    try:
        given = _validated(path, raw)
        return Scenario(given.name or path.stem, path.name, _values(path, given), sources)
    except ScenarioError as error:
        file, key, problem = [*str(error).split(": ", 2), ""][:3]
        if not key or key not in set_here:
            raise
        raise ScenarioError(f"--set {set_here[key]}: {file}: {key}: {problem}") from error


def preset_names(kind: str) -> list[str]:
    """The presets of a kind: models, hardware, notation or scenarios."""
    return sorted(path.stem for path in (PRESETS / kind).glob("*.toml"))


def read_preset(kind: str, name: str) -> dict[str, Any]:
    """A preset's TOML. Raises ScenarioError."""
    return _read(_find(kind, name))


def _find(kind: str, where: str | Path) -> Path:
    text = str(where)
    if re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,60}", text) and not text.endswith(".toml"):
        path = PRESETS / kind / f"{text}.toml"
        if path.is_file():
            return path
        known = ", ".join(preset_names(kind))
        raise ScenarioError(f"no {kind.removesuffix('s')} preset {text!r}, expected one of {known}")
    path = Path(text)
    try:
        found = path.is_file()
    except OSError:  # such as a name longer than the system allows
        found = False
    if not found:
        known = ", ".join(preset_names(kind))
        raise ScenarioError(f"{text[:100]!r}: no such file, expected one, or a preset such as {known}")
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            raise ScenarioError(f"{path.name}: larger than {MAX_BYTES:,} bytes")
        return tomllib.loads(data.decode("utf-8"))
    except ScenarioError:
        raise
    except (ValueError, RecursionError) as error:  # TOML, UTF-8 and too many digits
        problem = str(error).partition(";")[0]
        raise ScenarioError(f"{path.name}: not valid TOML: {problem}") from error
    except OSError as error:
        raise ScenarioError(f"{path}: {error.strerror}") from error


def _with_preset(
    path: Path, section: str, given: dict[str, Any], sources: dict[str, str]
) -> dict[str, Any]:
    """A section with its preset's figures under the keys it does not set itself."""
    preset = given.pop("preset", None)
    if preset is None:
        return given
    kind = "models" if section == "model" else section
    if preset not in (known := preset_names(kind)):
        raise ScenarioError(
            f"{path.name}: {section}.preset: found {str(preset)[:60]!r}, "
            f"expected one of {', '.join(known)}"
        )
    figures: dict[str, Any] = {}
    for key, entry in _read(_find(kind, preset)).items():
        if isinstance(entry, dict):
            figures[key] = entry["value"]
            sources[f"{section}.{key}"] = entry["source"]
        else:
            figures[key] = entry
    for key in given:
        sources.pop(f"{section}.{key}", None)
    return figures | given


def _override(raw: dict[str, Any], name: str, text: str) -> str:
    """Put a setting over the input where its concept is supplied by a key of the input; the key."""
    concept = concept_named(name)
    section, _, key = (concept.supplied if concept and concept.supplied else "").partition(".")
    fields = {"model": Model, "layout": Layout, "hardware": Hardware, "training": Training}
    if section not in fields or key not in fields[section].__struct_fields__:
        return ""
    table = raw.setdefault(section, {})
    if isinstance(table, dict):
        number = text.strip() if NUMBER.fullmatch(text.strip()) and len(text) < 30 else ""
        whole = parse_number(number) if number else Fraction(1, 2)
        table[key] = int(whole) if whole.denominator == 1 else text
        if section == "layout" and key in ("fsdp", "tp", "pp"):
            table.pop("devices", None)
    return f"{section}.{key}"


_EXPECTED = {
    "int": "a whole number from 1 to 10^15",
    "str": "text, with its unit if it is a quantity, such as '95 GB'",
    "object": "a table",
}


def _validated(path: Path, raw: dict[str, Any]) -> _Input:
    try:
        return msgspec.convert(raw, _Input)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"{path.name}: {_explain(str(error), raw)}") from error


def _explain(message: str, raw: Any) -> str:
    """msgspec's message as key, found, expected."""
    problem, at, where = message.rpartition(" - at `$")
    problem, key = (problem, where.strip("`. ")) if at else (message, "")
    found = raw
    for part in key.split(".") if key else []:
        found = found.get(part) if isinstance(found, dict) else None
    if match := re.match(r"Object contains unknown field `(.*)`", problem, re.DOTALL):
        name = f"{key}.{match[1]}".strip(".")
        section = {"model": Model, "layout": Layout, "hardware": Hardware, "training": Training}
        known = section[key].__struct_fields__ if key in section else _Input.__struct_fields__
        name = " ".join(name.split())[:100]
        return f"{name}: found an unknown key, expected one of {', '.join(known)}"
    if match := re.match(r"Object missing required field `(.*)`", problem):
        return f"{f'{key}.{match[1]}'.strip('.')}: found nothing, expected a value"
    match = re.match(r"Expected `(\w+)", problem)
    expected = _EXPECTED.get(match[1], problem) if match else problem
    return f"{key}: found {str(found)[:60]!r}, expected {expected}"


def _values(path: Path, given: _Input) -> dict[str, Quantity]:
    """Every figure by its key, the derived ones included. Raises ScenarioError."""
    values: dict[str, Quantity] = {}
    for section in ("model", "layout", "hardware", "training"):
        struct = getattr(given, section)
        for key in struct.__struct_fields__:
            value = getattr(struct, key)
            if isinstance(value, int):
                values[f"{section}.{key}"] = Quantity(Fraction(value))
            elif f"{section}.{key}" in _QUANTITIES and value is not None:
                values[f"{section}.{key}"] = _quantity(path, f"{section}.{key}", value)
    values.setdefault("hardware.memory", values["hardware.memory_marketing"])
    one_way = values["hardware.link_one_way"]
    values["hardware.axis_bandwidth"] = Quantity(2 * one_way.value, one_way.dimension)
    tokens = given.training.batch * given.training.sequence_length
    values["training.tokens"] = Quantity(Fraction(tokens))
    _check_layout(path, given)
    layout = given.layout
    values["layout.devices"] = Quantity(Fraction(layout.fsdp * layout.tp * layout.pp))
    return values


def _quantity(path: Path, key: str, text: str) -> Quantity:
    try:
        quantity = parse_quantity(text)
    except UnitError as error:
        raise ScenarioError(f"{path.name}: {key}: {error}") from error
    wanted = _QUANTITIES[key]
    if quantity.dimension != wanted or quantity.value <= 0:
        raise ScenarioError(
            f"{path.name}: {key}: found {text!r}, expected a positive quantity in {wanted}"
        )
    return quantity


def _check_layout(path: Path, given: _Input) -> None:
    layout, model = given.layout, given.model
    product = layout.fsdp * layout.tp * layout.pp
    if layout.devices is not None and layout.devices != product:
        raise ScenarioError(
            f"{path.name}: layout.devices: found {layout.devices}, expected fsdp × tp × pp = {product}"
        )
    for key in ("d_ff", "d_model"):
        if getattr(model, key) % layout.tp:
            raise ScenarioError(
                f"{path.name}: layout.tp: found {layout.tp}, expected a divisor of "
                f"model.{key} = {getattr(model, key)}"
            )
    if layout.pp > model.blocks:
        raise ScenarioError(
            f"{path.name}: layout.pp: found {layout.pp}, expected at most model.blocks = {model.blocks}"
        )
