"""Replicas that see different samples.

What DDP, ZeRO and FSDP send in a step and hold at their peak, how long their passes take on two
streams, and from what batch their communication hides behind compute. `P` is the model, or the
part of it that tensor and pipeline parallelism leave to a rank.
"""

SECTIONS = (
    "volume",
    "step_bytes",
    "ddp",
    "fsdp",
    "fsdp_memory",
    "fsdp_batch",
)
