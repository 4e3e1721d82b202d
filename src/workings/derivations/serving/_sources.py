"""Publications on serving; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import scaling_book

PAGED_ATTENTION = Source(
    "Kwon et al.",
    "Efficient Memory Management for Large Language Model Serving with PagedAttention",
    2023,
    "section 3, “Large KV cache”",
    "https://arxiv.org/abs/2309.06180",
)

SCALING_BOOK_CACHE = scaling_book("inference", "part 7, “What about memory?”")

DEEPSEEK_V2 = Source(
    "DeepSeek-AI",
    "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    2024,
    "sections 2.1.3 and 2.1.4, table 1",
    "https://arxiv.org/abs/2405.04434",
)


def vllm_cache(classes: str) -> Source:
    """A place in what vLLM knows of the cache of each kind of attention."""
    return Source(
        "vLLM project",
        "vLLM",
        None,
        f"vllm/v1/kv_cache_interface.py, {classes}",
        "https://github.com/vllm-project/vllm/blob/main/vllm/v1/kv_cache_interface.py",
    )


VLLM_CONCURRENCY = Source(
    "vLLM project",
    "vLLM",
    None,
    "vllm/v1/core/kv_cache_utils.py, get_max_concurrency_for_kv_cache_config",
    "https://github.com/vllm-project/vllm/blob/main/vllm/v1/core/kv_cache_utils.py",
)

SCALING_BOOK_TRICKS = scaling_book(
    "inference", "part 7, “Tricks for Improving Generation Throughput and Latency”"
)

GPTQ = Source(
    "Frantar et al.",
    "GPTQ: Accurate Post-Training Quantization for Generative Pre-trained Transformers",
    2023,
    "section 4, on group sizes, at tables 5 and 7",
    "https://arxiv.org/abs/2210.17323",
)

SCALING_BOOK_LLAMA = scaling_book("applied-inference", "part 8, “What's the LLaMA Serving Story?”")

VLLM_PREFIX = Source(
    "vLLM project",
    "vLLM",
    None,
    "docs/design/prefix_caching.md",
    "https://github.com/vllm-project/vllm/blob/main/docs/design/prefix_caching.md",
)

SGLANG_MLA = Source(
    "SGLang project",
    "SGLang documentation",
    None,
    "DP, DPA and SGLang DP Router, “The Problem with Tensor Parallelism for MLA Models”",
    "https://docs.sglang.io/advanced_features/dp_dpa_smg_guide.html",
)

MLA_ABSORBED = DEEPSEEK_V2.at("section 2.1.2, and the appendix with all formulas of MLA")

FLASH_MLA = Source(
    "DeepSeek-AI",
    "A Deep-Dive Into the New Flash MLA Kernel",
    2025,
    "“A Theoretical Analysis of the MLA Algorithm”",
    "https://github.com/deepseek-ai/FlashMLA/blob/main/docs/20250422-new-kernel-deep-dive.md",
)

LLAMA_3_IMAGES = Source(
    "Llama Team",
    "The Llama 3 Herd of Models",
    2024,
    "section 7.2, “Image encoder”",
    "https://arxiv.org/abs/2407.21783",
)
