"""The key of one variant: the scenarios that it names, kept as they are now, and its answers in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from workings.document.front import Source
from workings.grade.file import KeyFile
from workings.grade.targets import Asked, Key
from workings.handout.fingerprint import scenario_files
from workings.handout.plan import Variant
from workings.handout.record import digest
from workings.units import Format, show

FOLDER = "scenarios"
_AT = re.compile(r"""\b(at=["']?)([A-Za-z0-9][A-Za-z0-9_-]*\.toml)""")


def key_of(key: KeyFile, variant: Variant, source: Source) -> KeyFile:
    """The key of a variant; scenarios of files are found where they are kept, from any folder beside."""
    kept = {path.name: f"../{name}" for name, path in kept_scenarios(source).items()}
    table = _moved(msgspec.to_builtins(key), kept)
    return msgspec.convert({**table, "variant": variant.title}, KeyFile)


def kept_scenarios(source: Source) -> dict[str, Path]:
    """The files of scenarios by where they are kept: a folder for each state that they are in."""
    paths = scenario_files(source)
    state = digest(b"".join(path.read_bytes() for path in paths))[:8]
    return {f"{FOLDER}/{state}/{path.name}": path for path in paths}


def _moved(node: Any, kept: Mapping[str, str]) -> Any:
    """The tables of a key with other names for the files of scenarios."""
    if isinstance(node, list):
        return [_moved(one, kept) for one in node]
    if not isinstance(node, dict):
        return node
    return {name: _renamed(name, one, kept) if isinstance(one, str) else _moved(one, kept)
            for name, one in node.items()}  # fmt: skip


def _renamed(name: str, text: str, kept: Mapping[str, str]) -> str:
    if name in ("scenario", "at"):
        return kept.get(text, text)
    if name in ("value", "derivation"):
        return _AT.sub(lambda found: found[1] + kept.get(found[2], found[2]), text)
    return text


def answers_of(key: Key, digits: int) -> dict[str, str]:
    """The right answers of a key, as a solution prints them, by part and id."""
    asked = {f"{part.part.id} {one.answer.id}": one for part in key.parts for one in part.asked}
    return {place: words for place, one in asked.items() if (words := _answer(one, digits))}


def _answer(asked: Asked, digits: int) -> str:
    """One right answer in words; none where it is a formula or a text."""
    if asked.targets:
        return str(show(asked.targets[0].value, asked.unit, Format(digits=max(digits, asked.digits))))
    return ", ".join(choice.label for choice in asked.answer.choices if choice.right)
