"""Publications on model state; each was opened at the place named."""

from workings.derivation import Source

ZERO_STATE = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "section 3.1",
    "https://arxiv.org/abs/1910.02054",
)
ZERO_STAGES = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "figure 1, section 5 and table 1",
    "https://arxiv.org/abs/1910.02054",
)
DISTRIBUTED_OPTIMIZER = Source(
    "NVIDIA",
    "Megatron Core: Distributed Optimizer",
    None,
    "the table of bytes a parameter",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/docs/api-guide/dist_optimizer.md",
)
MEGATRON_MEMORY = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/training/theoretical_memory_usage.py, compute_weight_and_optimizer_memory",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/training/theoretical_memory_usage.py",
)
MEGATRON_GROUPS = Source(
    "NVIDIA",
    "Megatron-LM",
    None,
    "megatron/core/parallel_state.py, initialize_model_parallel (expert data-parallel size)",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
)
DEEPSEEK_V3_STORAGE = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Technical Report",
    2024,
    "sections 3.3.2 and 3.3.3",
    "https://arxiv.org/abs/2412.19437",
)
EIGHT_BIT = Source(
    "Dettmers et al.",
    "8-bit Optimizers via Block-wise Quantization",
    2022,
    "sections 1.1 and 2.1",
    "https://arxiv.org/abs/2110.02861",
)
LLAMA_3_PIPELINE = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, “Pipeline parallelism improvements”",
    "https://arxiv.org/abs/2407.21783",
)
TORCHTITAN_FSDP = Source(
    "Meta",
    "torchtitan",
    None,
    "docs/fsdp.md, the table of FSDP1's and FSDP2's sharding strategies",
    "https://github.com/pytorch/torchtitan/blob/main/docs/fsdp.md",
)
