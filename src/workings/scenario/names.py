"""What a setting may call a key of a scenario: the key, with its section or without, or its concept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from workings.scenario.inputs import SECTIONS
from workings.vocabulary import concept_named


@cache
def keys() -> Mapping[str, str]:
    """Every key of a section as settings may write it, `pp` or `layout.pp`, and in full."""
    return dict(_keys())


def _keys() -> Iterator[tuple[str, str]]:
    for section, struct in SECTIONS.items():
        for key in struct.__struct_fields__:
            if key != "name":  # what a model or device is called is no figure
                yield from ((name, f"{section}.{key}") for name in (key, f"{section}.{key}"))


def key_named(name: str) -> str:
    """The key that a name stands for: that of its concept, else the key of that name; or nothing."""
    concept = concept_named(name)
    supplied = concept.supplied if concept and concept.supplied else ""
    return supplied if supplied in keys() else keys().get(name, "")


def meant_in(raw: Mapping[str, Any], settings: Mapping[str, str], name: str) -> str:
    """The key that a name stands for in this scenario.

    `dp` is the degree of data parallelism, which FSDP shares in: it is a key only where there is none.
    """
    key, concept = key_named(name), concept_named(name)
    if key and concept is not None and concept.supplied != key:
        layout = raw.get("layout")
        alone = not isinstance(layout, dict) or layout.get("fsdp", 1) == 1
        return key if alone and "layout.fsdp" not in map(key_named, settings) else ""
    return key
