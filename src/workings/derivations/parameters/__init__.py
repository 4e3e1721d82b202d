"""How many numbers a model learns: each matrix, bias and norm of a transformer, then whole models.

Every total is the sum of the tensors that the model's published code allocates, so it equals the
count of the released weights to the last parameter; approximations such as `12 L D²` follow from it.
"""

SECTIONS = (
    "parts",
    "attention",
    "latent_attention",
    "feed_forward",
    "dense",
    "rule_of_twelve",
    "mixtures",
)
