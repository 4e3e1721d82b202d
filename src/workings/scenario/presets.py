"""Preset and scenario files: found by name or path, read as TOML, each figure with its source."""

from __future__ import annotations

import re
import tomllib
from copy import deepcopy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from workings.scenario.errors import ScenarioError

PRESETS = Path(__file__).parents[1] / "presets"
KINDS = ("models", "hardware", "scenarios", "notation")
MAX_BYTES = 1_000_000


def preset_names(kind: str) -> list[str]:
    """The presets of a kind: models, hardware, notation or scenarios."""
    return list(_names(kind))


@cache
def _names(kind: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (PRESETS / kind).glob("*.toml")))


def read_preset(kind: str, name: str) -> dict[str, Any]:
    """A preset's TOML, over that of its base where it has one. Raises ScenarioError."""
    merged: dict[str, Any] = {}
    for _, tables in layers(kind, name):
        merged |= tables
    return merged


def layers(kind: str, name: str) -> list[tuple[Path, dict[str, Any]]]:
    """The files that a preset is read from: its base's, where it names one, and its own over it."""
    path = preset_file(kind, name)
    own = read(path)
    base = own.pop("base", None)
    return [*(layers(kind, base) if base else ()), (path, own)]


def preset_file(kind: str, name: str) -> Path:
    """The file of a preset, never another one; `H100-SXM` is h100-sxm. Raises ScenarioError."""
    if not is_preset(kind, name):
        expected = expected_preset(kind, name)
        raise ScenarioError(f"no {kind.removesuffix('s')} preset {name[:60]!r}, expected {expected}")
    return PRESETS / kind / f"{name.lower()}.toml"


def is_preset(kind: str, name: str) -> bool:
    """Whether a kind has a preset of this name, in capitals or not."""
    return name.lower() in _names(kind)


def expected_preset(kind: str, name: str) -> str:
    """The presets whose names hold one that is none, as h200-sxm `H200`, or are like it; else all."""
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed

    known = preset_names(kind)
    near = [one for one in known if len(name) > 1 and name.lower() in one]
    near = near or get_close_matches(name.lower()[:60], known, 3, 0.7)
    return f"{' or '.join(near)}" if near else f"one of {', '.join(known)}"


def kind_of(name: str, kinds: tuple[str, ...] = KINDS) -> str | None:
    """The first kind that has a preset of this name."""
    return next((kind for kind in kinds if is_preset(kind, name)), None)


def find(kind: str, where: str | Path) -> Path:
    """The file of a preset or path. Raises ScenarioError."""
    text = str(where)
    plain = re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,60}", text) and not text.endswith(".toml")
    if plain or is_preset(kind, text):
        return preset_file(kind, text)
    path = Path(text)
    try:
        found = path.is_file()
    except OSError:  # such as a name longer than the system allows
        found = False
    if not found:
        known = ", ".join(preset_names(kind))
        raise ScenarioError(f"{text[:100]!r}: no such file, expected one, or a preset such as {known}")
    return path


def read(path: Path) -> dict[str, Any]:
    """A TOML file. Raises ScenarioError."""
    try:
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            raise ScenarioError(f"{path.name}: larger than {MAX_BYTES:,} bytes")
        return deepcopy(_tables(data))
    except ScenarioError:
        raise
    except (ValueError, RecursionError) as error:  # TOML, UTF-8 and too many digits
        problem = str(error).partition(";")[0]
        raise ScenarioError(f"{path.name}: not valid TOML: {problem}") from error
    except OSError as error:
        raise ScenarioError(f"{path}: {error.strerror}") from error


@lru_cache(maxsize=32)
def _tables(data: bytes) -> dict[str, Any]:
    """The tables of a file: a page reads the same few files again for each of its settings."""
    return tomllib.loads(data.decode("utf-8"))


def with_preset(
    path: Path, section: str, given: dict[str, Any], sources: dict[str, str]
) -> dict[str, Any]:
    """A section with the figures of its preset, or of a model's config, under its own keys."""
    preset = given.pop("preset", None)
    if section == "model" and "hf" in given:
        if preset is not None:
            raise ScenarioError(f"{path.name}: model.hf: found a preset too, expected one of the two")
        from workings.scenario.hf import model_from_config  # noqa: PLC0415 - rarely needed

        read_off, said = model_from_config(path, given.pop("hf"))
        sources |= {key: where for key, where in said.items() if key.partition(".")[2] not in given}
        return read_off | given
    if preset is None:
        return given
    kind = "models" if section == "model" else section
    if not is_preset(kind, str(preset)):
        raise ScenarioError(
            f"{path.name}: {section}.preset: found {str(preset)[:60]!r}, "
            f"expected {expected_preset(kind, str(preset))}"
        )
    figures: dict[str, Any] = {}
    for key, entry in read_preset(kind, str(preset)).items():
        if isinstance(entry, dict):
            figures[key] = entry["value"]
            sources[f"{section}.{key}"] = entry["source"]
        else:
            figures[key] = entry
    for key in given:
        sources.pop(f"{section}.{key}", None)
    return figures | given
