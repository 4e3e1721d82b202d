"""Publications on model state; each was opened at the place named."""

from workings.derivation import Source

ZERO_STATE = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "section 3.1",
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
