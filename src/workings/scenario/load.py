"""A scenario read from TOML: presets put in, settings put over it, every key checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from workings.scenario.derived import following
from workings.scenario.errors import ScenarioError
from workings.scenario.inputs import SECTIONS, Alone, Hardware, Input, Model
from workings.scenario.keys import QUANTITIES
from workings.scenario.names import meant_in
from workings.scenario.network import missing_axes
from workings.scenario.presets import PRESETS, find, kind_of, preset_file, read, with_preset
from workings.scenario.values import WORLD, values_alone, values_of
from workings.units import ONE, Quantity, UnitError, example_of, parse_amount, parse_quantity
from workings.vocabulary import concept_named

T = TypeVar("T")


@dataclass(frozen=True)
class Scenario:
    """A validated scenario: the values that concepts ask for, and where figures come from.

    `settings` are those that stand in it, `said` the keys that its file gives itself, `followed` those
    that follow from others, and `named` what is called by a name, such as its hardware.
    """

    name: str
    file: str
    values: Mapping[str, Quantity]
    sources: Mapping[str, str] = field(default_factory=dict)
    path: Path = Path()
    settings: Mapping[str, str] = field(default_factory=dict)
    said: frozenset[str] = frozenset()
    followed: frozenset[str] = frozenset()
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def alone(self) -> bool:
        """Whether it is a model, hardware or both by their names, without layout and training."""
        return _alone(self.path)

    def put(self, settings: Mapping[str, str]) -> Scenario:
        """The same scenario with these settings over its own. Raises ScenarioError."""
        return load_scenario(self.path, {**self.settings, **settings}) if settings else self

    def without(self, name: str) -> Scenario | None:
        """The same scenario without one of its settings; None where the rest is none."""
        try:
            return load_scenario(self.path, {n: t for n, t in self.settings.items() if n != name})
        except ScenarioError:
            return None


# Sections that may come from a preset, each with its kind, and that a setting may replace as a whole.
PRESET_SECTIONS = {"model": "models", "hardware": "hardware"}


def load_scenario(where: str | Path, settings: Mapping[str, str] | None = None) -> Scenario:
    """Read a scenario by preset name or path, with `settings` put over it. Raises ScenarioError.

    A setting that names a key of the input (`pp`, `layout.pp`), or its concept, replaces that key, so
    what depends on it follows (`batch` changes the tokens); `model` and `hardware` name another preset;
    other settings are left to `bind`. A model's preset or a config.json is enough for a question about
    a model, and hardware's for one about a device: it has no other figures, unless `hardware` names the
    devices that the model runs on, or `model` what runs on them.
    """
    path, raw = _read(where)
    alone = _alone(path)
    said = frozenset(
        f"{name}.{key}" for name, table in raw.items() if isinstance(table, dict) for key in table
    )
    for section in PRESET_SECTIONS.keys() & (settings or {}).keys():
        raw[section] = {"preset": (settings or {})[section].strip()}
    sources: dict[str, str] = {}
    for section in sorted(PRESET_SECTIONS):
        if isinstance(raw.get(section), dict):
            raw[section] = with_preset(path, section, raw[section], sources)
    set_here: dict[str, str] = {}
    for name, text in (settings or {}).items():
        key = meant_in(raw, settings or {}, name)
        key = key if not alone or key.partition(".")[0] in raw else ""
        _override(raw, key, text)
        if key and set_here.setdefault(key, name) != name:
            raise ScenarioError(f"--set {name}: found {set_here[key]} set too, expected one of the two, "
                                f"since both are {key}")  # fmt: skip
    try:
        _count_texts(path, raw)
        heard = {
            n: t for n, t in (settings or {}).items() if n in set_here.values() or n in PRESET_SECTIONS
        }
        rest = (sources, heard, said)
        if alone:
            bare = _validated(path, raw, Alone)
            named = _named(bare.model, bare.hardware)
            called = " on ".join(filter(None, map(named.get, PRESET_SECTIONS))) or path.stem
            return _scenario(called, path, values_alone(path, bare), *rest, named)
        given = _validated(path, raw, Input)
        _check_axes(path, given, set_here)
        named = {**_named(given.model, given.hardware), "order": given.layout.order}
        return _scenario(given.name or path.stem, path, values_of(path, given), *rest, named)
    except ScenarioError as error:
        file, key, problem = [*str(error).split(": ", 2), ""][:3]
        if key not in set_here:
            raise
        raise ScenarioError(f"--set {set_here[key]}: {file}: {key}: {problem}") from error


def keys_meant(where: str | Path, names: Iterable[str]) -> dict[str, str]:
    """The key of a scenario, or nothing, that each name of a setting is. Raises ScenarioError."""
    raw, settings = _read(where)[1], dict.fromkeys(names, "")
    return {name: meant_in(raw, settings, name) for name in settings}


def _scenario(
    name: str, path: Path, values: dict[str, Quantity], sources: dict[str, str],
    settings: dict[str, str], said: frozenset[str], named: dict[str, str],
) -> Scenario:  # fmt: skip
    """A scenario of these figures and what follows from them."""
    followed = following(values)
    return Scenario(name, path.name, values | followed, sources, path.absolute(), settings, said,
                    frozenset(followed), {key: text for key, text in named.items() if text})  # fmt: skip


def _read(where: str | Path) -> tuple[Path, dict[str, Any]]:
    """The file and tables of a scenario, or of a model or hardware alone. Raises ScenarioError."""
    kind = kind_of(str(where), ("scenarios", *PRESET_SECTIONS.values()))
    path = preset_file(kind, str(where)) if kind else find("scenarios", where)
    for section, kind in PRESET_SECTIONS.items():
        if path.parent == PRESETS / kind:
            return path, {section: {"preset": path.stem}}
    if path.suffix == ".json":
        return path, {"model": {"hf": path.name}}
    return path, read(path)


def _alone(path: Path) -> bool:
    return path.suffix == ".json" or path.parent in {PRESETS / kind for kind in PRESET_SECTIONS.values()}


def _named(model: Model | None, hardware: Hardware | None) -> dict[str, str]:
    """What a model and hardware are called, and the hardware's network."""
    named = {} if model is None else {"model": model.name}
    return named if hardware is None else named | {"hardware": hardware.name, "network": hardware.network}


def scenario_named(
    where: str | Path | None, settings: Mapping[str, str] | None = None
) -> Scenario | None:
    """The scenario that is named, or the model or hardware of settings; None where neither is."""
    given = settings or {}
    if not where:
        named = ((PRESET_SECTIONS[n], given[n].strip()) for n in PRESET_SECTIONS if n in given)
        where = next((preset_file(kind, name) for kind, name in named), None)
    return load_scenario(where, given) if where else None


def _check_axes(path: Path, given: Input, set_here: Mapping[str, str]) -> None:
    """Refuse axes that are set and that the network has not. Raises ScenarioError."""
    for key in sorted(missing_axes(given) & set_here.keys()):
        found = getattr(given.layout, key.partition(".")[2])
        most = given.hardware.torus_axes
        expected = "1: a switch has no axes" if most is None else f"at most {most} axes in all"
        raise ScenarioError(f"{path.name}: {key}: found {found}, expected {expected}")


def _override(raw: dict[str, Any], full: str, text: str) -> None:
    """Put a setting over the key of the input that it stands for, if it stands for one."""
    section, _, key = full.partition(".")
    table = raw.setdefault(section, {}) if full else None
    if isinstance(table, dict):
        table[key] = _plain(text)
        if section == "layout" and key in WORLD:
            table.pop("devices", None)
        if key in _EITHER:  # the other one follows from the batch
            table.pop(_EITHER[key], None)


def _count_texts(path: Path, raw: dict[str, Any]) -> None:
    """Put numbers in place of counts that are text, such as `15T` tokens. Raises ScenarioError."""
    for section, struct in SECTIONS.items():
        table = raw.get(section)
        if not isinstance(table, dict):
            continue  # the validation says so
        for key in struct.__struct_fields__:
            text = table.get(key)
            if key == "name" or f"{section}.{key}" in QUANTITIES:
                continue
            if not isinstance(text, str) or not _typed(text):
                continue
            concept = concept_named(key)
            try:
                count = parse_quantity(text, ONE, concept.thousand if concept else 1000)
            except UnitError as error:
                raise ScenarioError(f"{path.name}: {section}.{key}: {error}") from error
            if count.dimension == ONE and count.value.denominator == 1:
                table[key] = int(count.value)


def _plain(text: str) -> int | str:
    """A setting's text as TOML would have it: a whole number where it is one."""
    try:
        number, rest = parse_amount(text)
    except UnitError:
        return text
    return text if rest or number.denominator > 1 or len(text) >= 30 else int(number)


def _typed(text: str) -> bool:
    """Whether a text is a number as people type it, with a suffix or in powers of ten."""
    try:
        return not text.isdecimal() and bool(parse_amount(text))
    except UnitError:
        return False


_EITHER = {"microbatches": "microbatch", "microbatch": "microbatches"}

_EXPECTED = {
    "int": "a whole number from 1 to 10^15",
    "str": "text",
    "object": "a table",
}


# Sections of a job that a scenario has not.
_OF_JOBS = ("cluster", "launch", "assume", "review", "measured", "published")


def _validated(path: Path, raw: dict[str, Any], kind: type[T]) -> T:
    if of_job := [name for name in _OF_JOBS if name in raw]:
        raise ScenarioError(
            f"{path.name}: {of_job[0]}: found a section of a job, expected a scenario; a job is for "
            "`workings plan` and `workings review`"
        )
    try:
        return msgspec.convert(raw, kind)
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
        known = SECTIONS.get(key, Input).__struct_fields__
        name = " ".join(name.split())[:100]
        return f"{name}: found an unknown key, expected one of {', '.join(known)}"
    if match := re.match(r"Object missing required field `(.*)`", problem):
        return f"{f'{key}.{match[1]}'.strip('.')}: found nothing, expected a value"
    match = re.match(r"Expected `(\w+)", problem)
    expected = _EXPECTED.get(match[1], problem) if match else problem
    if key in QUANTITIES and match and match[1] == "str":
        expected = f"text, with its unit, such as '{example_of(QUANTITIES[key])}'"
    return f"{key}: found {str(found)[:60]!r}, expected {expected}"
