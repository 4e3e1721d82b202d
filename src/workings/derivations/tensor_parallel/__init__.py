"""Tensor parallelism splits each weight over `t` ranks, so that two products need one all-reduce.

Where a layer is too large or too slow for one device, its matrices are cut: those of a first product by
columns, those of the second by rows. Every rank then computes a part of the layer on all tokens, and
only the second product's output must be summed. That happens several times in every layer, forward and
backward, so the transfers are large, frequent, and hard to hide, which is why groups stay inside a
node. The chapter begins with the products themselves and with what a rank holds; it counts what a layer
sends, with and without sequence parallelism, and asks how long that takes, how many ranks can hide it
behind compute, and what of it still shows. The vocabulary's table and layers with experts come last.
What is sent was counted on layers really run on split weights that give the whole layer's result.
"""

SECTIONS = (
    "products",
    "shares",
    "layer_bytes",
    "sequence_parallel",
    "layer_time",
    "overlap",
    "vocabulary",
    "mixtures",
)
