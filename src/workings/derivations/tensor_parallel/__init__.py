"""Tensor parallelism splits each weight over `t` ranks, so that two products need one all-reduce.

The weights of a first product are split by columns, those of the second by rows. What a rank computes
and sends in a layer is counted here, with and without sequence parallelism, and when the transfers
hide behind the compute.
"""

SECTIONS = (
    "products",
    "shares",
    "layer_bytes",
    "sequence_parallel",
    "layer_time",
    "overlap",
    "mixtures",
    "vocabulary",
)
