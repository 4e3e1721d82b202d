"""Replicas that see different samples.

Data parallelism is the first axis one reaches for: every replica computes on samples of its own, and at
the end of a step they add their gradients up. DDP keeps the whole state on every device; ZeRO and FSDP
share it and gather weights when they are needed, so they trade memory for bytes sent. The chapter asks
in turn what each sends in a step, first in parameters, then in bytes with micro-batches, how long
passes take whose communication runs on a second stream, what FSDP holds at its peak, and from what
batch communication hides behind compute. `P` is the model, or the part of it that tensor and pipeline
parallelism leave to a rank. Bytes were counted in optimizer steps really made on vectors, times on two
streams run task by task.
"""

SECTIONS = (
    "volume",
    "step_bytes",
    "zero_plus_plus",
    "ddp",
    "fsdp",
    "chunks",
    "fsdp_memory",
    "fsdp_batch",
)
