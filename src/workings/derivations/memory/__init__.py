"""Model state and activations of a feed-forward model on FSDP devices, and how many devices hold them.

The model has two matrices a block and nothing else, so every byte can be counted on paper, and the whole
question of a plan is there in small: what must be held, what sharding divides, what it does not, and from
how many devices it fits. State is divided by the devices; half of the activations stay whole on each, and
so do the weights that are gathered for the block at work. What is not divided sets a limit that no number
of devices passes, and the chapter's conditions say so. The chapters on state and activations count real
transformers.
"""

SECTIONS = (
    "stack",
    "fsdp",
    "working_set",
)
