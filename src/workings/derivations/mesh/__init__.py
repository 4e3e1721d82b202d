"""A mesh of X FSDP by Y tensor-parallel devices: the time a block computes and the times it sends.

From their comparison follow the batch from which training is compute-bound, with transfers overlapped
(max) or one after the other (sum), with exact or very large rings, and the mesh that sends least.
"""

SECTIONS = (
    "times",
    "forward",
    "overlapped",
    "one_after_the_other",
    "best",
    "sequences",
)
