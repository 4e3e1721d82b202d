"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

MEGATRON = Source(
    "Shoeybi et al.",
    "Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism",
    2019,
    "section 3, with figure 4",
    "https://arxiv.org/abs/1909.08053",
)
MEGATRON_SPLIT = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.3",
    "https://arxiv.org/abs/2104.04473",
)
MEGATRON_VOLUME = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 3.2",
    "https://arxiv.org/abs/2104.04473",
)
MEGATRON_CORE_LINEAR = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/tensor_parallel/layers.py, LinearWithGradAccumulationAndAsyncCommunication",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/tensor_parallel/layers.py",
)
MEGATRON_CORE_LOSS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/tensor_parallel/cross_entropy.py, _VocabParallelCrossEntropy",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/tensor_parallel/cross_entropy.py",
)
MEGATRON_CORE_NORMS = Source(
    "NVIDIA",
    "Megatron-LM",
    2024,
    "megatron/core/distributed/finalize_model_grads.py, _allreduce_layernorm_grads",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/distributed/finalize_model_grads.py",
)
SEQUENCE_PARALLEL_EXTRA = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "section 4.2.2, after equation 3",
    "https://arxiv.org/abs/2205.05198",
)
SCALING_BOOK_GPU_TP = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 12, “Rooflines for LLM Scaling on GPUs”, “Tensor Parallelism”",
    "https://jax-ml.github.io/scaling-book/gpus/",
)
SCALING_BOOK_GPU_NODES = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 12, “Cross-node collectives”",
    "https://jax-ml.github.io/scaling-book/gpus/",
)
VLLM_HEADS = Source(
    "vLLM project",
    "vLLM",
    2024,
    "vllm/model_executor/models/llama.py, LlamaAttention",
    "https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/models/llama.py",
)
NEMO_OVERLAP = Source(
    "NVIDIA",
    "NeMo",
    2025,
    "docs/source/features/optimizations/communication_overlap.rst, “Tensor-parallel Communication "
    "Overlap”",
    "https://github.com/NVIDIA/NeMo/blob/main/docs/source/features/optimizations/"
    "communication_overlap.rst",
)
MEGATRON_CORE_LAYERS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/tensor_parallel/layers.py, ColumnParallelLinear and RowParallelLinear",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/tensor_parallel/layers.py",
)
MEGATRON_LATENT_LAYERS = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/transformer/multi_latent_attention.py, _qkv_down_projection",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/multi_latent_attention.py",
)
MEGATRON_ROUTER = Source(
    "NVIDIA",
    "Megatron-LM",
    2025,
    "megatron/core/transformer/moe/router.py, Router.weight",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/router.py",
)
