"""A made-up row as those of benchmarks/heldout are, for what becomes of one; what is not read of many."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from heldouts.jobs import job
from heldouts.published import step
from heldouts.rows import RefusedError, Row

ROW: dict[str, Any] = {
    "source": "a-page", "name": "7B on 16", "device": "NVIDIA H100 (DGX H100)", "device_mem_gb": 80,
    "gpus": 16, "gpus_per_node": 8, "tp": 2, "pp": 1, "cp": 1, "dp": 8, "seq_len": 4096,
    "global_batch": 64, "micro_batch": 2, "precision": "BF16", "framework": "Megatron-Core",
    "unknown": [],
    "model": {"layers": 32, "hidden": 4096, "ffn": 11008, "gated": True, "heads": 32, "kv_heads": 32,
              "head_dim": 128, "vocab": 32000, "tied": False},
}  # fmt: skip


def refusals(found: Iterable[Row]) -> Counter[str]:
    """How many rows of a set are not read, by the reason."""
    refused = Counter[str]()
    for row in found:
        try:
            job(row), step(row)
        except RefusedError as error:
            refused[str(error)] += 1
    return refused
