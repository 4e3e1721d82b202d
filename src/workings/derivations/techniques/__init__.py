"""Ways to need less memory, or a smaller batch to be compute-bound, on the feed-forward model.

Gradient accumulation, activation checkpointing with the best number of segments, activations shared by
tensor and sequence parallelism: what each saves, and what it costs.
"""

SECTIONS = (
    "mesh_activations",
    "checkpointing",
    "accumulation",
)
