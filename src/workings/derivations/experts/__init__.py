"""A block with experts sends each token to a few of many experts, which lie on different ranks.

It is how a model has many parameters and yet little work a token: most experts rest while a token passes.
The price is traffic and unevenness. Two all-to-alls carry the tokens there and back, and they hardly fall
with more ranks; all ranks wait for the one with the most tokens; and an expert with few tokens reads its
weights for little work. Here is how tokens spread, what that costs at most, how many experts a batch
uses, what experts hold and compute, what the all-to-alls move, inside nodes and between them, when the
experts' compute hides them, and which ranks reduce which gradients. Routing is even unless an entry says
what is uneven.
"""

SECTIONS = (
    "loads",
    "uneven",
    "distinct",
    "shares",
    "dispatch",
    "masks",
    "matmuls",
    "gradients",
)
