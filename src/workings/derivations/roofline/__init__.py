"""Rooflines: whether a kernel waits for arithmetic or for memory.

A device computes and moves bytes at once, each at a rate of its own, and a kernel takes as long as the
slower of the two. Its arithmetic intensity, FLOPs for each byte moved, says which one that is: the
device's own quotient of the two rates is the line between. Matrix products cross it with enough tokens,
because each weight that is read serves them all; norms, activation functions and the optimizer's step
never do, whatever their size. Attention does where many queries share the keys that are read, and not
where one token is generated at a time. Bytes are those between a device's memory (HBM) and the chip.
Every tensor is counted once, except where an entry says that it counts what is read again because the
chip holds only a part: products in tiles, and FlashAttention. Rates are peaks, so that times are bounds
from below: put in the rates that a benchmark reached to get estimates.
"""

SECTIONS = (
    "peak",
    "device",
    "overlap",
    "products",
    "batch",
    "tiles",
    "elementwise",
    "between_products",
    "attention_traffic",
    "attention_backward",
    "attention_blocks",
    "attention_intensity",
)
