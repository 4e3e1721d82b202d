"""Publications that several derivations rest on; each was opened at the place named."""

from workings.derivation import Source


def scaling_book(page: str, where: str) -> Source:
    """A place in the book on scaling models, on one of its pages."""
    url = f"https://jax-ml.github.io/scaling-book/{page}/"
    return Source("Austin et al.", "How to Scale Your Model", 2025, where, url)


def megatron_lm(file: str, place: str) -> Source:
    """A place in a file of Megatron-LM's main branch, which has no date."""
    url = f"https://github.com/NVIDIA/Megatron-LM/blob/main/{file}"
    return Source("NVIDIA", "Megatron-LM", None, f"{file}, {place}", url)


SCALING_BOOK_FSDP = scaling_book("training", "part 5, “Fully-Sharded Data Parallelism (FSDP)”")


SCALING_BOOK_TP = scaling_book("training", "part 5, “Tensor Parallelism”")


SCALING_BOOK_MIXED = scaling_book("training", "part 5, “Combining FSDP and Tensor Parallelism”")


SCALING_BOOK_FLOPS = scaling_book(
    "transformers", "part 4, “Counting Dots” and “Forward and reverse FLOPs”"
)


NCCL_TESTS = Source(
    "NVIDIA",
    "Performance reported by NCCL tests",
    None,
    "nccl-tests, doc/PERFORMANCE.md, “AllReduce”, “ReduceScatter”, “AllGather”",
    "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
)


ZERO = Source(
    "Rajbhandari et al.",
    "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models",
    2020,
    "sections 3.1 and 5.3",
    "https://arxiv.org/abs/1910.02054",
)


MIXED_PRECISION = Source(
    "Micikevicius et al.",
    "Mixed Precision Training",
    2018,
    "section 3.1",
    "https://arxiv.org/abs/1710.03740",
)


KAPLAN = Source(
    "Kaplan et al.",
    "Scaling Laws for Neural Language Models",
    2020,
    "section 2.1 and table 1",
    "https://arxiv.org/abs/2001.08361",
)


SUBLINEAR = Source(
    "Chen et al.",
    "Training Deep Nets with Sublinear Memory Cost",
    2016,
    "section 4.3, equation 1",
    "https://arxiv.org/abs/1604.06174",
)


GPIPE = Source(
    "Huang et al.",
    "GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism",
    2019,
    "section 2.3",
    "https://arxiv.org/abs/1811.06965",
)


DEEPSEEK_V3 = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Technical Report",
    2024,
    "section 2.1.2, equations 12 to 18",
    "https://arxiv.org/abs/2412.19437",
)


MEGATRON_PIPELINE = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 2.2.1",
    "https://arxiv.org/abs/2104.04473",
)


SEQUENCE_PARALLEL = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "section 4.2.2",
    "https://arxiv.org/abs/2205.05198",
)


LLAMA_3 = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2",
    "https://arxiv.org/abs/2407.21783",
)


ZERO_BUBBLE = Source(
    "Qi et al.",
    "Zero Bubble Pipeline Parallelism",
    2024,
    "sections 2.1 to 2.3, table 2",
    "https://arxiv.org/abs/2401.10241",
)


MEGASCALE = Source(
    "Jiang et al.",
    "MegaScale: Scaling Large Language Model Training to More Than 10,000 GPUs",
    2024,
    "section 6.1, table 2",
    "https://arxiv.org/abs/2402.15627",
)


MEGATRON_LM = Source(
    "Shoeybi et al.",
    "Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism",
    2019,
    "section 5.1.1",
    "https://arxiv.org/abs/1909.08053",
)
