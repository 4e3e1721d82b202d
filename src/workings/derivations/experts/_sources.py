"""Publications on mixtures of experts; each was opened at the place named."""

from workings.derivation import Source

SWITCH = Source(
    "Fedus et al.",
    "Switch Transformers: Scaling to Trillion Parameter Models with Simple and Efficient Sparsity",
    2022,
    "section 2.2, equation 3",
    "https://arxiv.org/abs/2101.03961",
)
DEEPSEEK_MOE = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Technical Report",
    2024,
    "section 2.1.2, equations 12 to 18",
    "https://arxiv.org/abs/2412.19437",
)
DEEPSEEK_ALL_TO_ALL = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Technical Report",
    2024,
    "section 3.2.2",
    "https://arxiv.org/abs/2412.19437",
)
SCALING_BOOK_EXPERTS = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "chapter “How to Think About GPUs”, “Expert Parallelism”",
    "https://jax-ml.github.io/scaling-book/gpus/",
)
SCALING_BOOK_ROOFLINE = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 1, “Matrix multiplication”",
    "https://jax-ml.github.io/scaling-book/roofline/",
)
MEGATRON_CAPACITY = Source(
    "NVIDIA",
    "Megatron-LM",
    2024,
    "megatron/core/transformer/moe/moe_utils.py, get_capacity",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/moe_utils.py",
)
MEGATRON_EXPERT_GROUPS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/parallel_state.py, initialize_model_parallel, “Build expert rank generator”",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
)
MEGABLOCKS = Source(
    "Gale et al.",
    "MegaBlocks",
    2022,
    "megablocks/layers/moe.py, parallel_forward_once",
    "https://github.com/databricks/megablocks/blob/main/megablocks/layers/moe.py",
)
