"""Activations are the tensors of a forward pass that its backward pass needs again.

One asks for them because they are the part of memory that grows with the batch and the sequence: state is
the same however long the text, so a layout that fits one length may not fit the next. Only what a
derivative reads is saved, so the account is a ledger of named tensors. One ledger lists those of a
transformer block and is read with and without parallelism and recomputation, for GPT's blocks, Llama's
and those with experts. A schedule then says for how many micro-batches a rank keeps them at once.
Embedding, head and loss add their own at the two ends. The peak is the most bytes that any rank holds at
any moment, state included. Means and deviations of norms, random states and buffers that live for one
operation are left out throughout.
"""

SECTIONS = (
    "block",
    "attention",
    "block_parts",
    "split_block",
    "recompute",
    "mixtures",
    "for_weights",
    "in_flight",
    "stages",
    "split_stages",
    "ends",
    "model",
    "peak",
)
