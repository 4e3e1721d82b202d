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
MEGATRON_NOTATION = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 3.1",
    "https://arxiv.org/abs/2104.04473",
)
MEGATRON_NODES = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 3.2, takeaway 1",
    "https://arxiv.org/abs/2104.04473",
)
MEGATRON_INTERLEAVED = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.2.2",
    "https://arxiv.org/abs/2104.04473",
)
MEGATRON_TENSOR = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.3",
    "https://arxiv.org/abs/2104.04473",
)
