"""Model FLOPs of a token, where a row prints nothing but FLOP/s."""

from __future__ import annotations

from heldouts.rows import Row

# Which of attention's scores are counted, by what the row says of its FLOPs: Megatron-LM and MaxText of
# before July 2025 count all, Megatron Bridge the causal half (the `agreement` of its other rows).
_COUNTS = {
    "per-GPU teraFLOP/s, MFU column = teraFLOP/s / 989: model FLOPs": 1.0,
    "TFLOP/sec/chip, model FLOPs": 1.0,
    "TFLOP/s/GPU as logged": 0.5,
    "model FLOPs, attention causal, dense part 6 N without the embedding": 0.5,
}


def counts(row: Row) -> float | None:
    """The share of attention's scores that its FLOPs hold; nothing where that is not known."""
    said = row["model"]
    plain = "experts" not in said and "q_lora_rank" not in said and "vocab" in said
    return _COUNTS.get(row.get("tflops_def", "")) if plain else None


def model_flops(row: Row) -> float:
    """Forward and backward of a token of a dense model: 6 a weight, and the scores that are counted."""
    m = row["model"]
    width = m["heads"] * m["head_dim"]
    attention = 2 * m["hidden"] * (width + m["kv_heads"] * m["head_dim"])
    feed_forward = (3 if m["gated"] else 2) * m["hidden"] * m["ffn"]
    scores = 2 * row["seq_len"] * width * (counts(row) or 0)
    return float(6 * (m["layers"] * (attention + feed_forward + scores) + m["vocab"] * m["hidden"]))
