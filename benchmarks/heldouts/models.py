"""A row's model as the keys of [model]; what the row does not say is left to the product."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from heldouts.rows import RefusedError, Row

# Keys of a row's model, and those of [model]. Windows have none: the product plans all scores.
_PLAIN = {"hidden": "d_model", "layers": "blocks", "heads": "heads", "vocab": "vocab"}
_GROUPED = {"kv_heads": "kv_heads", "head_dim": "head_dim"}
_LATENT = {"q_lora_rank": "q_rank", "kv_lora_rank": "kv_rank", "qk_nope_head_dim": "nope_dim",
           "qk_rope_head_dim": "rope_dim", "v_head_dim": "v_dim"}  # fmt: skip
ACTIVE = (
    "active_experts",
    "top_k",
    "experts_per_token",
    "topk",
)  # sets name the experts of a token in four ways
_EXPERTS = {"experts": "experts", **dict.fromkeys(ACTIVE, "active_experts"),
            "expert_ffn": "d_expert", "moe_ffn": "d_expert",
            "shared_experts": "shared_experts"}  # fmt: skip
# Of 64 Ki tokens scores are most of the work: of such a row it is not said how much there was.
_MASKED = r"masked rows do less attention .*: by how much is not said"
_MULTIPLE = 256  # of a feed-forward that is given by its ratio: LLaMA's rule rounds it up


def model(row: Row) -> dict[str, Any]:
    """[model]. Raises RefusedError where the row does not say enough of it to be written down."""
    said = row["model"]
    if re.search(_MASKED, row.get("notes", "")):
        raise RefusedError("model: documents are masked, whose lengths are not said")
    if {"moe_interleave", "moe_every"} & said.keys() or said.get("moe_layers", "all") != "all":
        raise RefusedError("model: which blocks have experts is not said")
    attention = _LATENT if "kv_lora_rank" in said or "q_lora_rank" in said else _GROUPED
    names = {**_PLAIN, **attention, **_EXPERTS}
    found = {ours: said[theirs] for theirs, ours in names.items() if theirs in said}
    found["ffn_matrices"] = 3 if said["gated"] else 2
    if "tied" in said:
        found["embeddings"] = 1 if said["tied"] else 2
    if "dense_layers" in said and "experts" in said:
        found["moe_blocks"] = said["layers"] - said["dense_layers"]
    if "kv_rank" in found:
        found.setdefault("q_rank", 0)  # of a row that has no rank of queries: they are not compressed
    return {**found, **_shared(found, said.get("shared_ffn", 0)), "d_ff": _width(row)}


def _shared(found: dict[str, Any], width: int) -> dict[str, int]:
    """Shared experts of another width than a routed one, as so many of that. Raises RefusedError.

    The width is that of all of them together (2816 of DeepSeek-V2-Lite's two), as Megatron-LM's
    `moe_shared_expert_intermediate_size` is.
    """
    if not width:
        return {}
    many, rest = divmod(width, found["d_expert"])
    if rest:
        raise RefusedError("model: a shared expert that is not as wide as so many routed ones")
    return {"shared_experts": many}


def _width(row: Row) -> int:
    """The feed-forward's width, or what its ratio to the model's comes to."""
    said = row["model"]
    if "ffn" in said:
        return int(said["ffn"])
    return math.ceil(Fraction(said["mlp_ratio"]) * int(said["hidden"]) / _MULTIPLE) * _MULTIPLE
