"""Ways to need less memory, or a smaller batch to be compute-bound, on the feed-forward model.

One turns to them when a step does not fit, and each is a trade. Gradient accumulation keeps the
activations of one micro-batch at a time and gathers weights for each. Checkpointing keeps a segment's
input and runs its blocks again: there is a best number of segments, and a third more compute. Tensor and
sequence parallelism share the activations out over a mesh. What a checkpoint keeps can also lie with the
host. The model is the feed-forward stack of two
matrices a block, where all of it can be counted on paper; what has a form for real transformers is given
for them too.
"""

SECTIONS = (
    "accumulation",
    "checkpointing",
    "offloading",
    "mesh_activations",
)
