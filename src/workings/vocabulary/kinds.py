"""Kinds of models and networks that a formula may be for, and how a scenario shows each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from workings.units import Quantity

Figures: TypeAlias = Mapping[str, Quantity]


class Kind(NamedTuple):
    """What a formula may ask of the model or the network it is used on.

    `says` completes “It is for …” (“models without attention”), `otherwise` says what a scenario has
    that is not of the kind (“this model has attention”), `shown_by` tells from a scenario's figures,
    all of them of the section `about`.
    """

    says: str
    otherwise: str
    shown_by: Callable[[Figures], bool]
    about: str = "model"


def together(says: Sequence[str]) -> str:
    """What several kinds of one thing say, as one: “models with attention and without experts”.

    What tells of the thing in a sentence of its own (“whose …”, “that …”) comes last.
    """
    subject, _, first = says[0].partition(" ")
    parts = sorted((first, *(said.removeprefix(f"{subject} ") for said in says[1:])), key=_in_a_sentence)
    return f"{subject} {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}"


def _in_a_sentence(part: str) -> bool:
    return part.startswith(("whose ", "that "))


def _of(figures: Figures, key: str) -> Fraction:
    """A size of the model; 0 where it has none."""
    found = figures.get(f"model.{key}")
    return found.value if found else Fraction(0)


def _is(figures: Figures, key: str) -> bool:
    """Whether the network has a property, as the scenario works it out."""
    found = figures.get(f"hardware.{key}")
    return found is not None and found.value == 1


def _has_attention(figures: Figures) -> bool:
    return bool(_of(figures, "heads"))


def _has_experts(figures: Figures) -> bool:
    return bool(_of(figures, "experts"))


def _compresses(figures: Figures) -> bool:
    return bool(_of(figures, "kv_rank"))


def _is_gated(figures: Figures) -> bool:
    return _of(figures, "ffn_matrices") == 3


def _fills_width(figures: Figures) -> bool:
    return _of(figures, "heads") * _of(figures, "head_dim") == _of(figures, "d_model")


def _multi_head(figures: Figures) -> bool:
    return _has_attention(figures) and _of(figures, "kv_heads") == _of(figures, "heads")


def _gpt_shaped(figures: Figures) -> bool:
    wide = _of(figures, "d_ff") == 4 * _of(figures, "d_model")
    plain = _of(figures, "ffn_matrices") == 2 and not _has_experts(figures)
    return wide and plain and _multi_head(figures) and _fills_width(figures)


def _built_like_gpt(figures: Figures) -> bool:
    biases = ("norm_bias", "qkv_bias", "out_bias", "ffn_bias", "final_norms", "embeddings")
    once = all(_of(figures, name) == 1 for name in biases)
    return _gpt_shaped(figures) and once and _of(figures, "norms") == 2 and _of(figures, "positions") > 0


WITHOUT_ATTENTION = Kind(
    "models that are feed-forward layers alone", "this model has attention",
    lambda figures: not _has_attention(figures),
)  # fmt: skip
"""What the 220B exercise counts: blocks of one feed-forward layer and nothing else."""
WITH_ATTENTION = Kind("models with attention", "this model has none", _has_attention)
WITHOUT_EXPERTS = Kind(
    "models without experts", "this model has experts", lambda figures: not _has_experts(figures)
)
WITH_EXPERTS = Kind("models with experts", "this model has none", _has_experts)
WITHOUT_LATENT = Kind(
    "models without latent attention", "this model has it (MLA)",
    lambda figures: not _compresses(figures),
)  # fmt: skip
LATENT_ATTENTION = Kind(
    "models with latent attention (MLA)", "this model compresses no keys and values", _compresses
)
GATED = Kind(
    "models with a gated feed-forward", "this model's has two matrices, without a gate", _is_gated
)
PLAIN = Kind(
    "models with a plain feed-forward of two matrices", "this model's is gated",
    lambda figures: not _is_gated(figures),
)  # fmt: skip
DENSE_BLOCKS = Kind(
    "models that have blocks without experts", "every block of this model has experts",
    lambda figures: not _has_experts(figures) or _of(figures, "moe_blocks") < _of(figures, "blocks"),
)  # fmt: skip
EXPERT_BLOCKS = Kind(
    "models with experts in every block", "this model has blocks without",
    lambda figures: _has_experts(figures) and _of(figures, "moe_blocks") == _of(figures, "blocks"),
)  # fmt: skip
TWO_NORMS = Kind(
    "models with two norms in a block, before attention and feed-forward, and none of queries and keys",
    "this model has more", lambda figures: _of(figures, "norms") <= 2 and not _of(figures, "qk_norms"),
)  # fmt: skip
ALIKE = Kind(
    "models whose blocks are alike", "some blocks of this model have experts, others none",
    lambda figures: not 0 < _of(figures, "moe_blocks") < _of(figures, "blocks"),
)  # fmt: skip
HEADS_FILL = Kind("models whose heads fill the model's width", "this model's heads do not", _fills_width)
MULTI_HEAD = Kind(
    "models with a key and a value head for each query head", "this model has fewer", _multi_head
)
MULTI_QUERY = Kind(
    "models with one key and value head", "this model has more",
    lambda figures: _of(figures, "kv_heads") == 1,
)  # fmt: skip
GPT_SHAPED = Kind(
    "models of GPT's shape (a key and a value head for each query head, together as wide as the model; "
    "a plain feed-forward four times as wide; no experts)",
    "this model has another shape", _gpt_shaped,
)  # fmt: skip
BUILT_LIKE_GPT = Kind(
    "models built like GPT-2 and GPT-3 (GPT's shape, every bias, tied embeddings, learned positions)",
    "this model is built otherwise", _built_like_gpt,
)  # fmt: skip
TWO_TABLES = Kind(
    "models with an embedding table for the output of its own", "this model uses the input's",
    lambda figures: _of(figures, "embeddings") == 2,
)  # fmt: skip
LINEAR = Kind(
    "linear networks (one square matrix a layer)", "this model's blocks are something else",
    lambda _: False,
)  # fmt: skip
"""No scenario describes one: such a formula answers where its letters are given by hand."""
ONE_COPY = Kind(
    "recipes in which one copy of the weights serves the optimizer and the forward",
    "this one keeps a working copy beside its master",
    lambda figures: not figures["training.working_width"].value, "training",
)  # fmt: skip
ANY_MODEL = Kind("models of every kind", "", lambda _: True)
"""What a formula says that uses results of one kind of model, whose sizes cancel in it."""
TORUS = Kind(
    "networks that are a torus, where a device sends both ways along every axis at once",
    "this network is a switch, into which it sends one way",
    lambda figures: _is(figures, "torus"), "hardware",
)  # fmt: skip
SWITCH = Kind(
    "networks that are a switch", "this network is a torus, without a switch inside a node",
    lambda figures: not _is(figures, "torus"), "hardware",
)  # fmt: skip
