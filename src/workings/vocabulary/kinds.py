"""Kinds of models and networks that a formula may be for, and how a scenario shows each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from workings.units import Quantity

Figures: TypeAlias = Mapping[str, Quantity]


class Kind(NamedTuple):
    """What a formula may ask of the model or the network it is used on.

    `says` completes “It is for …” (“models without attention”), `otherwise` says what a scenario has
    that is not of the kind (“this one has attention”), `shown_by` tells from a scenario's figures.
    """

    says: str
    otherwise: str
    shown_by: Callable[[Figures], bool]


def _is(figures: Figures, key: str, wanted: int) -> bool:
    found = figures.get(key)
    return found is not None and found.value == wanted


WITHOUT_ATTENTION = Kind(
    "models that are feed-forward layers alone", "this model has attention",
    lambda figures: "model.heads" not in figures,
)  # fmt: skip
"""What the 220B exercise counts: blocks of one feed-forward layer and nothing else."""
WITH_ATTENTION = Kind(
    "models with attention", "this model has none", lambda figures: "model.heads" in figures
)
WITHOUT_EXPERTS = Kind(
    "models without experts", "this model has experts", lambda figures: "model.experts" not in figures
)
WITH_EXPERTS = Kind(
    "models with experts", "this model has none", lambda figures: "model.experts" in figures
)
WITHOUT_LATENT = Kind(
    "models whose keys and values are not compressed", "this model's are (MLA)",
    lambda figures: "model.kv_rank" not in figures,
)  # fmt: skip
LATENT = Kind(
    "models with latent attention (MLA)", "this model compresses no keys and values",
    lambda figures: "model.kv_rank" in figures,
)  # fmt: skip
GATED = Kind(
    "models with a gated feed-forward", "this model's has two matrices, without a gate",
    lambda figures: _is(figures, "model.ffn_matrices", 3),
)  # fmt: skip
TORUS = Kind(
    "networks that are a torus, where a device sends both ways along every axis at once",
    "this network is a switch, into which it sends one way",
    lambda figures: _is(figures, "hardware.torus", 1),
)  # fmt: skip
SWITCH = Kind(
    "networks that are a switch", "this network is a torus, without a switch inside a node",
    lambda figures: not _is(figures, "hardware.torus", 1),
)  # fmt: skip
PLAIN = Kind(
    "models with a plain feed-forward of two matrices", "this model's is gated",
    lambda figures: not _is(figures, "model.ffn_matrices", 3),
)  # fmt: skip
