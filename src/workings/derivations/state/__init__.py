"""Model state lies in memory between steps: weights, their gradients and the optimizer's moments.

First its bytes for each precision recipe and optimizer, then what one rank holds of it once ZeRO, hybrid
sharding, the distributed optimizer, tensor, pipeline and expert parallelism share it out.
"""

SECTIONS = (
    "recipes",
    "zero",
    "stages",
    "distributed_optimizer",
    "fsdp_device",
)
