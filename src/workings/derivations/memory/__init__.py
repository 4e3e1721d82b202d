"""Model state and activations of a feed-forward model on FSDP devices, and how many devices hold them.

The model has two matrices a block and nothing else, so every byte can be counted on paper; half of the
activations stay whole on each device. The sections on state and activations count real transformers.
"""

SECTIONS = (
    "stack",
    "fsdp",
    "working_set",
)
