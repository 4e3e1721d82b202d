"""Publications on meshes of ranks; each was opened at the place named."""

from workings.derivation import Source


def llama3(where: str) -> Source:
    """A place in the account of how Llama 3 was trained."""
    return Source(
        "Grattafiori et al.",
        "The Llama 3 Herd of Models",
        2024,
        f"section 3.3.2 and {where}",
        "https://arxiv.org/abs/2407.21783",
    )


def megatron_groups(function: str) -> Source:
    """A function of Megatron-LM that sets up groups of ranks."""
    return Source(
        "NVIDIA",
        "Megatron-LM",
        2025,
        f"megatron/core/parallel_state.py, {function}",
        "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
    )


def megatron_paper(section: str) -> Source:
    """A section of the paper on training with tensor, pipeline and data parallelism."""
    return Source(
        "Narayanan et al.",
        "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
        2021,
        section,
        "https://arxiv.org/abs/2104.04473",
    )


LLAMA3_MESH = llama3("figure 5")
MEGATRON_GROUPS = megatron_groups("generate_masked_orthogonal_rank_groups")
MEGATRON_WORLD = megatron_groups("initialize_model_parallel")
