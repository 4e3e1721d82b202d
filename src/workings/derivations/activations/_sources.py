"""Publications on activation memory; each was opened at the place named."""

from workings.derivation import Source


def _korthikanti(where: str) -> Source:
    return Source(
        "Korthikanti et al.",
        "Reducing Activation Recomputation in Large Transformer Models",
        2023,
        where,
        "https://arxiv.org/abs/2205.05198",
    )


BLOCK_EQ_1 = _korthikanti("section 4.1, equation 1")
TENSOR_EQ_2 = _korthikanti("section 4.2.1, equation 2")
SEQUENCE_EQ_4 = _korthikanti("section 4.2.2, equation 4")
PIPELINE_EQ_5 = _korthikanti("section 4.2.3, equation 5")
INTERLEAVED = _korthikanti("section 4.2.3, after equation 5")
ENDS = _korthikanti("section 4.3")
SELECTIVE_EQ_6 = _korthikanti("section 5, equation 6 and table 2")
FULL = _korthikanti("section 5 and table 2")
DEALLOCATION = _korthikanti("appendix B")
MICROBATCH_RECOMPUTE = _korthikanti("appendix C")

FLASH = Source(
    "Dao",
    "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning",
    2023,
    "section 3.1",
    "https://arxiv.org/abs/2307.08691",
)
SWIGLU = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/core/fusions/fused_bias_swiglu.py, SwiGLUFunction",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/fusions/fused_bias_swiglu.py",
)
WEIGHTED_SWIGLU = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/core/fusions/fused_bias_swiglu.py, WeightedSwiGLUFunction",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/fusions/fused_bias_swiglu.py",
)
LLAMA_3 = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2",
    "https://arxiv.org/abs/2407.21783",
)
INTERLEAVED_SCHEDULE = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/core/pipeline_parallel/schedules.py, get_pp_rank_microbatches",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/pipeline_parallel/schedules.py",
)
ZERO_BUBBLE = Source(
    "Qi et al.",
    "Zero Bubble Pipeline Parallelism",
    2024,
    "section 2.3 and table 2",
    "https://arxiv.org/abs/2401.10241",
)
MEGATRON_ACTIVATIONS = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/training/theoretical_memory_usage.py, compute_activation_memory",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/training/theoretical_memory_usage.py",
)
