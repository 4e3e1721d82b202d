"""FLOPs: every matrix product of a transformer counted forward, backward and again.

A multiply-add is 2 FLOPs, and only matrix products count. From one product follow a block, a
model, the rule of 6 FLOPs a parameter and token with what it leaves out, and what recomputation
adds.
"""

SECTIONS = (
    "matmul",
    "feed_forward",
    "attention",
    "dense",
    "rule_of_six",
    "recompute",
    "mixtures",
    "latent_attention",
)
