"""Publications on what parallel axes send; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import MEGATRON_PIPELINE

MEGATRON_TENSOR = MEGATRON_PIPELINE.at("section 2.3")

MEGATRON_MESSAGES = MEGATRON_PIPELINE.at("section 3.2")

MEGATRON_STEP = MEGATRON_PIPELINE.at("sections 2.2.2 and 3.4, equation 1")

LLAMA3_NETWORK = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, “Network-aware parallelism configuration”",
    "https://arxiv.org/abs/2407.21783",
)

DEEPSEEK_OVERLAP = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Technical Report",
    2024,
    "section 3.2.1",
    "https://arxiv.org/abs/2412.19437",
)

MEGATRON_EXPERTS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/parallel_state.py, initialize_model_parallel, “Build expert rank generator”",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/parallel_state.py",
)

SCALING_BOOK_GPU_TENSOR = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "chapter “How to Think About GPUs”, “Tensor Parallelism”",
    "https://jax-ml.github.io/scaling-book/gpus/",
)

SCALING_BOOK_GPU_PIPELINE = SCALING_BOOK_GPU_TENSOR.at(
    "chapter “How to Think About GPUs”, “Pipeline Parallelism”"
)

SCALING_BOOK_GPU_DATA = SCALING_BOOK_GPU_TENSOR.at(
    "chapter “How to Think About GPUs”, “Data Parallelism”"
)
