"""Publications on model state; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import ZERO, megatron_lm

ZERO_STATE = ZERO.at("section 3.1")

DISTRIBUTED_OPTIMIZER = Source(
    "NVIDIA",
    "Megatron Core: Distributed Optimizer",
    None,
    "the table of bytes a parameter",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/docs/user-guide/features/dist_optimizer.md",
)

MEGATRON_MEMORY = megatron_lm(
    "megatron/training/theoretical_memory_usage.py", "compute_weight_and_optimizer_memory"
)
MEGATRON_GROUPS = megatron_lm(
    "megatron/core/parallel_state.py", "initialize_model_parallel (expert data-parallel size)"
)
