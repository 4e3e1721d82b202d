"""A mesh of X FSDP by Y tensor-parallel devices: the time a block computes and the times it sends.

The question behind it is how small a batch may be before devices wait for their links. Compute grows with
the tokens; the gathers of the weights do not, and the transfers of tensor parallelism grow with the
tokens as compute does. So there is a batch from which training is compute-bound, and a width from which
tensor parallelism is. The two transfers run at the same time where each has links of its own, as on a
torus (the larger counts, max), and take turns where they share a port, as on a switch (sum); every
threshold is given for both. Rings are taken as exact, where a rank does not receive what it has, or as
very large, where that does not matter, as the published thresholds do. The block is a plain feed-forward.
"""

SECTIONS = (
    "times",
    "forward",
    "overlapped",
    "one_after_the_other",
    "best",
    "sequences",
)
