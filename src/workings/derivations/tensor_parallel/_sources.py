"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

MEGATRON = Source(
    "Shoeybi et al.",
    "Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism",
    2019,
    "section 3, with figure 4",
    "https://arxiv.org/abs/1909.08053",
)


MEGATRON_SPLIT = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.3",
    "https://arxiv.org/abs/2104.04473",
)


MEGATRON_VOLUME = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 3.2",
    "https://arxiv.org/abs/2104.04473",
)


SCALING_BOOK_GPU_TP = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 12, “Rooflines for LLM Scaling on GPUs”, “Tensor Parallelism”",
    "https://jax-ml.github.io/scaling-book/gpus/",
)
