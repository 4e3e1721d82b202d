"""Context parallelism deals the tokens of a sequence out to `c` ranks: longer contexts fit.

Only attention needs tokens of other ranks. Counted here are the keys and values that go round a ring,
through an all-gather or an all-to-all, when they hide behind the compute, and how causal attention is
shared out evenly.
"""

SECTIONS = (
    "ring",
    "balance",
    "hiding",
    "gathering",
    "ulysses",
    "degree",
)
