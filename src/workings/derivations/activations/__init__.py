"""Activations are the tensors of a forward pass that its backward pass needs again.

One ledger lists those of a transformer block and is read with and without parallelism and recomputation,
for GPT's blocks, Llama's and those with experts. Then come what schedules keep in flight, what embedding
and head add, and the peak: the most bytes that any rank holds at any moment.
"""

SECTIONS = (
    "block",
    "split_block",
    "mixtures",
    "recompute",
    "ends",
    "model",
    "in_flight",
    "stages",
    "peak",
)
