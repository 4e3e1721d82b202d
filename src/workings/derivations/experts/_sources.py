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


MEGATRON_EXPERT_GROUPS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/parallel_state.py, initialize_model_parallel, “Build expert rank generator”",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
)
