"""A made-up row as those of benchmarks/heldout are, for tests of what becomes of one."""

from typing import Any

ROW: dict[str, Any] = {
    "source": "a-page", "name": "7B on 16", "device": "NVIDIA H100 (DGX H100)", "device_mem_gb": 80,
    "gpus": 16, "gpus_per_node": 8, "tp": 2, "pp": 1, "cp": 1, "dp": 8, "seq_len": 4096,
    "global_batch": 64, "micro_batch": 2, "precision": "BF16", "framework": "Megatron-Core",
    "unknown": [],
    "model": {"layers": 32, "hidden": 4096, "ffn": 11008, "gated": True, "heads": 32, "kv_heads": 32,
              "head_dim": 128, "vocab": 32000, "tied": False},
}  # fmt: skip
