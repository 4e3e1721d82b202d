"""Model FLOPs of a token, where a row prints nothing but FLOP/s or a share of the peak."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from heldouts.models import model
from heldouts.rows import Row


class Counted(NamedTuple):
    """What a source counts: a share of attention's scores, and how many times a forward pass.

    `blocks`: passes over the blocks, three of a step without recomputation. `table`: whether the table of
    the input is counted like a matrix. `experts`: whether the active ones of a model with experts are.
    """

    scores: float
    blocks: int = 3
    table: bool = False
    experts: bool = False


# By what the row says of its FLOPs: Megatron-LM and MaxText of before July 2025 count all scores,
# Megatron Bridge the causal half (the `agreement` of its other rows).
_COUNTS = (
    (r"^per-GPU teraFLOP/s, MFU column = teraFLOP/s / 989: model FLOPs$", Counted(1)),
    (r"^TFLOP/sec/chip, model FLOPs$", Counted(1)),
    (r"^TFLOP/s/GPU as logged$", Counted(0.5)),
    (r"^model FLOPs, attention causal, dense part 6 N without the embedding$", Counted(0.5)),
    (r"6 x active parameters.* \+ 12 L h s", Counted(1, experts=True)),
    (r"^torchtitan's tflops$", Counted(1, experts=True)),  # as _OF_PROGRAM
    (r"^6 N \+ 12 L h s, N all parameters$", Counted(1, table=True)),
    (r"^6 x parameters a token \+ causal attention at half", Counted(0.5)),
    (r"^AutoModel flops_utils(?!.*sliding window)", Counted(0.5, experts=True)),  # of windows: not known
    (r"^MaxText model FLOPs over the peak of v5e", Counted(1)),
    # Megatron-LM since core 0.13 (training.py, num_floating_point_operations: "only half of the mask").
    (
        r"^Megatron-LM --log-throughput(?: \(model FLOP/s per GPU\))?$"
        r"|^MODEL_TFLOP/s/GPU of Megatron-Bridge$",
        Counted(0.5, experts=True),
    ),
    (r"^Megatron Bridge's formula, model FLOP", Counted(0.5)),
    (r"^Megatron Bridge log \(causal half|^model FLOPs of Megatron-Bridge", Counted(0.5, experts=True)),
    (r"^hardware FLOPs: layers 4 x forward .*, logits 3 x, full attention$", Counted(1, blocks=4)),
    # The same as one product: 96 is 4 x 24 of a layer's matrices, s/6h scores, V/16lh 6 V h of logits.
    (r"^hardware: 96 B s l h\^2 \(1 \+ s/6h \+ V/16lh\), recomputed forward", Counted(1, blocks=4)),
    (r"^6 x all parameters \(embedding too\), no attention", Counted(0, table=True)),
)
# torchtitan logs 6 x active parameters without the input's table and 12 L h s (models/utils.py,
# get_moe_model_nparams_and_flops), and that over the peak; h is of the heads since its pull request 1923
# of October 2025, and was the model's width before.
_OF_PROGRAM = (("torchtitan", Counted(1, experts=True)),)


def counts(row: Row) -> Counted | None:
    """What its FLOPs are counted of; nothing where that is not known."""
    said = row.get("tflops_def") or row.get("tflops_counts")
    found = _first(_COUNTS, said or f"{row.get('mfu_counts', '')}; {row.get('attention', '')}")
    if not said and found is None:
        found = _first(_OF_PROGRAM, row.get("framework", ""))
    m = row["model"]
    plain = "vocab" in m and ("experts" not in m or (found and found.experts))
    return found if plain else None


def _first(patterns: Iterable[tuple[str, Counted]], words: str) -> Counted | None:
    return next((counted for pattern, counted in patterns if re.search(pattern, words)), None)


def model_flops(row: Row) -> float:
    """Forward and backward of a token, as its source counts them: 2 a weight and pass, and the scores."""
    m, counted = model(row), counts(row) or Counted(0)
    attention, widths = _latent(m) if "kv_rank" in m else _grouped(m)
    scores = row["seq_len"] * widths * counted.scores
    sparse = m.get("moe_blocks", m["blocks"]) if "experts" in m else 0
    weights = m["blocks"] * (attention + scores) + (m["blocks"] - sparse) * _fed(m, m["d_ff"], 1)
    if sparse:
        active = m["active_experts"] + m.get("shared_experts", 0)
        weights += sparse * (_fed(m, m["d_expert"], active) + m["d_model"] * m["experts"])
    tables = 2 if counted.table and m.get("embeddings") == 2 else 1
    return float(2 * counted.blocks * weights + 6 * tables * m["vocab"] * m["d_model"])


def _grouped(m: dict[str, int]) -> tuple[int, int]:
    """Weights of attention, and the widths of all its heads' queries and values together."""
    each = m.get("head_dim", m["d_model"] // m["heads"])
    width = m["heads"] * each
    return 2 * m["d_model"] * (width + m["kv_heads"] * each), 2 * width


def _latent(m: dict[str, int]) -> tuple[int, int]:
    """The same of latent attention."""
    d, query = m["d_model"], m["heads"] * (m["nope_dim"] + m["rope_dim"])
    queries = m["q_rank"] * (d + query) if m.get("q_rank") else d * query
    keys = d * (m["kv_rank"] + m["rope_dim"]) + m["kv_rank"] * m["heads"] * (m["nope_dim"] + m["v_dim"])
    value = m["heads"] * m["v_dim"]
    return queries + keys + value * d, query + value


def _fed(m: dict[str, int], width: int, many: int) -> int:
    return m["ffn_matrices"] * m["d_model"] * width * many
