"""A model read from a Hugging Face `config.json`: the file checked, its architecture looked up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workings.scenario.errors import ScenarioError
from workings.scenario.hf_families import FAMILIES
from workings.scenario.hf_likeness import most_like
from workings.scenario.hf_values import Config, problem, refusal

MAX_BYTES = 1_000_000
_OF_ALL = ("tie_word_embeddings", "quantization_config")  # keys of the outer level of a joined config
_DIGITS = 61  # of an integer that are read: more than are accepted, and than a message shows


def model_from_config(scenario: Path, where: object) -> tuple[dict[str, int], dict[str, str]]:
    """The figures of [model] that a config gives, and where each is from. Raises ScenarioError.

    `where` is relative to the scenario's folder. A config says its model's width, blocks and
    vocabulary; other keys that it leaves out have the defaults of the architecture's configuration
    class in transformers.
    """
    if not isinstance(where, str) or not where.strip() or "\0" in where:
        raise refusal(scenario.name, "model.hf", where, "the path of a Hugging Face config.json")
    path = scenario.parent / where
    values, part = language_part(_parse(path.name, _read(scenario.name, path, where)))
    model_type = values.get("model_type")
    family = FAMILIES.get(model_type) if isinstance(model_type, str) else None
    if family is None:
        raise refusal(path.name, "model_type", model_type, _known(values), values)
    config = Config(path.name, values, family.defaults, family.aliases)
    figures = {key: value for key, value in family.read(config).items() if value is not None}
    said = f"{path.name}, {part}a Hugging Face config of {model_type}"
    return figures, {f"model.{key}": said for key in figures}


def language_part(values: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The language model of a config that joins it with others, such as one that reads images.

    What is said of all of them is the language model's too, where it says nothing else itself.
    """
    inner = values.get("text_config")
    known = values.get("model_type") in list(FAMILIES)  # which may be no text
    if not known and isinstance(inner, dict):
        return {**{key: values[key] for key in _OF_ALL if key in values}, **inner}, "its text_config: "
    return values, ""


def _read(scenario: str, path: Path, where: str) -> bytes:
    try:
        if not path.is_file():  # a folder, a device or a pipe is none either
            raise refusal(scenario, "model.hf", where, "the path of a file beside the scenario")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ScenarioError(f"{scenario}: model.hf: {path.name[:100]}: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise ScenarioError(
            f"{path.name}: found more than {MAX_BYTES:,} bytes, expected a config.json, which has a few"
        )
    return data


def _parse(file: str, data: bytes) -> Mapping[str, Any]:
    """The JSON object of a file, each key once. Raises ScenarioError."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in found:
            if key in values:
                raise problem(file, key, "found it twice, expected it once")
            if isinstance(value, _NotANumber):
                raise problem(file, key, f"found {value.text}, expected a finite number")
            values[key] = value
        return values

    try:
        values = json.loads(
            data.decode("utf-8"), object_pairs_hook=pairs, parse_int=_whole, parse_constant=_NotANumber
        )
    except ScenarioError:
        raise
    except RecursionError as error:
        raise ScenarioError(f"{file}: found lists or objects nested too deep, expected less") from error
    except ValueError as error:  # JSON and UTF-8
        raise ScenarioError(f"{file}: not valid JSON: {str(error)[:100]}") from error
    if not isinstance(values, dict):
        raise ScenarioError(f"{file}: found {type(values).__name__}, expected a JSON object")
    return values


class _NotANumber:
    """NaN or an infinity, which Python's reader takes and JSON does not have."""

    def __init__(self, text: str) -> None:
        self.text = text


def _whole(text: str) -> int:
    return int(text[:_DIGITS])


def _known(values: Mapping[str, Any]) -> str:
    """The known architectures, and which of them a config is most like."""
    like = most_like(values)
    known = f"one of {', '.join(FAMILIES)}"
    if like is None:
        return known
    so = f'if it is built so, say "model_type": "{like}" in a copy'
    return f"{known}; its keys are most like those of {like}: {so}"
