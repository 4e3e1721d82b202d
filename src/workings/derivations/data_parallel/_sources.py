"""Publications on data parallelism; each was opened at the place named."""

from workings.derivation import Source

ZERO_VOLUME_DP = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "section 7.1",
    "https://arxiv.org/abs/1910.02054",
)
ZERO_VOLUME_GRADIENTS = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "section 7.2.1",
    "https://arxiv.org/abs/1910.02054",
)
ZERO_VOLUME_PARAMETERS = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "section 7.2.2",
    "https://arxiv.org/abs/1910.02054",
)
ZERO_STATE = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "section 3.1",
    "https://arxiv.org/abs/1910.02054",
)
ZERO_2_ACCUMULATION = Source(
    "Ruwase (DeepSpeed)",
    "Why Stage2 need communicate gradients every steps",
    2022,
    "DeepSpeed issue 2252, the maintainer's answer",
    "https://github.com/deepspeedai/DeepSpeed/issues/2252",
)
DDP_NO_SYNC = Source(
    "PyTorch",
    "torch.nn.parallel.DistributedDataParallel",
    None,
    "“no_sync”",
    "https://github.com/pytorch/pytorch/blob/main/torch/nn/parallel/distributed.py",
)
DDP_NOTES = Source(
    "PyTorch",
    "Distributed Data Parallel",
    None,
    "“Internal Design”, construction and backward pass",
    "https://docs.pytorch.org/docs/stable/notes/ddp.html",
)
MEGATRON_BUCKETS = Source(
    "NVIDIA",
    "Megatron Core developer guide, DistributedDataParallelConfig",
    None,
    "“bucket_size”",
    "https://docs.nvidia.com/megatron-core/developer-guide/0.18.1/apidocs/core/"
    "core.distributed.fsdp.src.megatron_fsdp.distributed_data_parallel_config.html",
)
NEMO_OVERLAP = Source(
    "NVIDIA",
    "NeMo Framework user guide, Communication Overlap",
    None,
    "“Data-parallel Communication Overlap”",
    "https://docs.nvidia.com/nemo-framework/user-guide/24.12/nemotoolkit/features/optimizations/communication_overlap.html",
)
FSDP_STRATEGIES = Source(
    "PyTorch",
    "torch.distributed.fsdp, ShardingStrategy and BackwardPrefetch",
    None,
    "“FULL_SHARD”, “SHARD_GRAD_OP”, “HYBRID_SHARD”, “BACKWARD_PRE”",
    "https://github.com/pytorch/pytorch/blob/main/torch/distributed/fsdp/api.py",
)
FULLY_SHARD = Source(
    "PyTorch",
    "torch.distributed.fsdp.fully_shard",
    None,
    "“reshard_after_forward”, “set_requires_gradient_sync”",
    "https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
)
FSDP_ONCE = Source(
    "Gu (PyTorch)",
    "Does FSDP v2 have the best performance?",
    2025,
    "torchtune issue 2402, on ZeRO-1 with micro-batches",
    "https://github.com/meta-pytorch/torchtune/issues/2402",
)
FSDP_NOTES = Source(
    "PyTorch",
    "FSDP Notes",
    None,
    "“FSDP Prefetch Nuances”",
    "https://docs.pytorch.org/docs/stable/notes/fsdp.html",
)
FSDP_UNITS = Source(
    "Zhao et al.",
    "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel",
    2023,
    "section 3.2.1",
    "https://arxiv.org/abs/2304.11277",
)
FSDP_HYBRID = Source(
    "Zhao et al.",
    "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel",
    2023,
    "section 3.2.2",
    "https://arxiv.org/abs/2304.11277",
)
FSDP_OVERLAP = Source(
    "Zhao et al.",
    "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel",
    2023,
    "sections 3.3.1 and 3.3.2",
    "https://arxiv.org/abs/2304.11277",
)
FSDP_ACCUMULATION = Source(
    "Zhao et al.",
    "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel",
    2023,
    "section 3.3.4",
    "https://arxiv.org/abs/2304.11277",
)
LLAMA_3_FSDP = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, “Parallelism for Model Scaling”",
    "https://arxiv.org/abs/2407.21783",
)
SCALING_BOOK_DP = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 5, “Data Parallelism”",
    "https://jax-ml.github.io/scaling-book/training/",
)
KAKADE_ANAND = Source(
    "Kakade and Anand",
    "How to Train Your Foundation Model (CS 2281R)",
    2024,
    "lecture 8, “Theoretical Considerations”",
    "https://shamulent.github.io/CS_2281_2024.html",
)
