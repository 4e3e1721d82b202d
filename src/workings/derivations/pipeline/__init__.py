"""A pipeline cuts the model by layers: rank after rank holds a stage, and micro-batches flow through.

While it fills and drains, ranks wait: the bubble, given here over the ideal time (β) or over the
total time (b), never mixed. Times are those of one micro-batch on one rank: forward, backward for the
gradient of the input, and backward for the gradients of the weights.
"""

SECTIONS = (
    "schedules",
    "bubble",
    "interleaved",
    "zero_bubble",
    "uneven",
    "sending",
    "depth",
)
