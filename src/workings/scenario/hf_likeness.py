"""Which known architecture a Hugging Face config of an unknown one is most like, by its keys."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workings.scenario.hf_families import FAMILIES, Family

LEAST = Fraction(7, 10)  # of the keys that either has, from which a config is like a family
_SIZES = ("hidden_size", "num_hidden_layers", "vocab_size")  # that a config says itself


def most_like(values: Mapping[str, Any]) -> str | None:
    """The `model_type` whose keys a config shares most; of equals the one with more of its values.

    Keys that no family reads count for nothing. None where too few are shared to say so.
    """
    shares = {name: _share(family, values) for name, family in FAMILIES.items()}
    best = max(FAMILIES, key=lambda name: (shares[name], _agreeing(FAMILIES[name], values)))
    return best if shares[best] >= LEAST else None


def _keys(family: Family) -> set[str]:
    """What a config of a family says, under the names that most classes have."""
    names = {usual: own for own, usual in family.aliases.items() if usual in _SIZES}
    sizes = {names.get(key, key) for key in _SIZES}
    return {*family.defaults, *sizes}


def _share(family: Family, values: Mapping[str, Any]) -> Fraction:
    """Keys that both have, of those that either has and some family reads."""
    own = _keys(family)
    found = {key for key in own if key in values or family.aliases.get(key) in values}
    others = {key for one in FAMILIES.values() for key in _keys(one)} - own
    foreign = {key for key in others if key in values and key not in family.aliases.values()}
    return Fraction(len(found), len(own | foreign))


def _agreeing(family: Family, values: Mapping[str, Any]) -> int:
    return sum(key in values and values[key] == usual for key, usual in family.defaults.items())
