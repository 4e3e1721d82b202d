"""Publications that time and scale rest on; each was opened at the place named."""

from workings.derivation import Source

SCALING_BOOK_LLAMA = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 6, “Counting Parameters and FLOPs”",
    "https://jax-ml.github.io/scaling-book/applied-training/",
)
