"""Context parallelism deals the tokens of a sequence out to `c` ranks: longer contexts fit.

One needs it when a single sequence no longer fits: data parallelism deals out whole sequences, and
activations grow with their length. All a block does token by token stays where the token is; only
attention needs tokens of other ranks. Three ways of bringing them together are counted: keys and values
passed round a ring beside the compute, gathered at once before it, or heads exchanged for tokens by an
all-to-all. Each has its bytes, and the first two a time that hides or does not. A causal mask makes late
tokens dearer than early ones, so how the tokens are dealt out decides whether all ranks work equally
long. What a rank saves, and the degree that a context needs, come last.
"""

SECTIONS = (
    "ring",
    "balance",
    "hiding",
    "gathering",
    "ulysses",
    "degree",
)
