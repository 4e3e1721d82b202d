"""Publications on meshes of ranks; each was opened at the place named."""

from workings.derivation import Source

LLAMA3_MESH = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2 and figure 5",
    "https://arxiv.org/abs/2407.21783",
)


LLAMA3_TABLE = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2 and table 4",
    "https://arxiv.org/abs/2407.21783",
)


MEGATRON_GROUPS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/parallel_state.py, generate_masked_orthogonal_rank_groups",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
)


MEGATRON_WORLD = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/parallel_state.py, initialize_model_parallel",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
)
