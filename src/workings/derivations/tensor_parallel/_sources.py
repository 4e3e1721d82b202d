"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import MEGATRON_PIPELINE, scaling_book

MEGATRON = Source(
    "Shoeybi et al.",
    "Megatron-LM: Training Multi-Billion Parameter Language Models Using Model Parallelism",
    2019,
    "section 3, with figure 4",
    "https://arxiv.org/abs/1909.08053",
)

MEGATRON_SPLIT = MEGATRON_PIPELINE.at("section 2.3")
MEGATRON_VOLUME = MEGATRON_PIPELINE.at("section 3.2")

SCALING_BOOK_GPU_TP = scaling_book(
    "gpus", "part 12, “Rooflines for LLM Scaling on GPUs”, “Tensor Parallelism”"
)

POPE_PARALLEL = Source(
    "Pope et al.",
    "Efficiently Scaling Transformer Inference",
    2022,
    "section 3.4, “Parallel Attention/Feed-Forward Layers”",
    "https://arxiv.org/abs/2211.05102",
)
