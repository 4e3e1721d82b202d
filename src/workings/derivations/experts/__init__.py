"""A block with experts sends each token to a few of many experts, which lie on different ranks.

Two all-to-alls carry the tokens there and back. Here is what they move, what happens where tokens
are unevenly spread, when the experts' compute hides the transfers, and which ranks reduce which
gradients.
"""

SECTIONS = (
    "loads",
    "shares",
    "dispatch",
    "matmuls",
    "gradients",
)
