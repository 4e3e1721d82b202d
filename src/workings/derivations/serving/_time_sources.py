"""Publications on the time and cost of serving; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import scaling_book

SCALING_BOOK_ESTIMATES = scaling_book(
    "inference", "part 7, “Theoretical estimates for LLM latency and throughput”"
)
SCALING_BOOK_LINEAR = scaling_book("inference", "part 7, “Linear operations: what bottlenecks us?”")
SCALING_BOOK_ATTENTION = scaling_book("inference", "part 7, “What about attention?”")
SCALING_BOOK_SPREAD = scaling_book(
    "inference", "part 7, “Distributing Inference Over Multiple Accelerators”"
)
SCALING_BOOK_ENGINE = scaling_book("inference", "part 7, “Designing an Effective Inference Engine”")
SCALING_BOOK_PREFIX = scaling_book("inference", "part 7, “Prefix Caching”")
SCALING_BOOK_MIXTURE = scaling_book("inference", "part 7, question 5")
SCALING_BOOK_BASICS = scaling_book("inference", "part 7, “The Basics of Transformer Inference”")
SCALING_BOOK_SHARDED_CACHE = scaling_book("inference", "part 7, “Sharding the KV cache”")
SCALING_BOOK_SERVING = scaling_book("applied-inference", "part 8, “What's the LLaMA Serving Story?”")
SCALING_BOOK_PREFILL = scaling_book("applied-inference", "part 8, “What about prefill?”")
SPECULATIVE = Source(
    "Leviathan et al.",
    "Fast Inference from Transformers via Speculative Decoding",
    2023,
    "section 3.1, definition 3.1 and equation 1",
    "https://arxiv.org/abs/2211.17192",
)
SARATHI = Source(
    "Agrawal et al.",
    "Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve",
    2024,
    "section 3.1, “Low Compute Utilization during Decodes”",
    "https://arxiv.org/abs/2403.02310",
)
DISTSERVE = Source(
    "Zhong et al.",
    "DistServe: Disaggregating Prefill and Decoding for Goodput-optimized Large Language Model Serving",
    2024,
    "section 3.3, “Communication overhead”",
    "https://arxiv.org/abs/2401.09670",
)
VLLM_BENCHMARK = Source(
    "vLLM project",
    "vLLM",
    None,
    "vllm/benchmarks/serve.py, calculate_metrics",
    "https://github.com/vllm-project/vllm/blob/main/vllm/benchmarks/serve.py",
)
NVIDIA_TOKEN_COST = Source(
    "NVIDIA",
    "Rethinking AI TCO: Why Cost per Token Is the Only Metric That Matters",
    2026,
    "“What Are the Factors That Lower Token Cost?”, the equation",
    "https://blogs.nvidia.com/blog/lowest-token-cost-ai-factories",
)
LITTLE = Source(
    "Janapa Reddi et al.",
    "Machine Learning Systems",
    2025,
    "volume 2, Inference Foundations, “Applying Little's Law to verify”",
    "https://github.com/harvard-edge/cs249r_book/blob/dev/book/quarto/contents/vol2/"
    "backmatter/appendix_inference.qmd",
)
ENERGY_PER_TOKEN = Source(
    "Clune",
    "Another look at per token energy costs",
    2025,
    "“we calculate energy/sec over tokens/sec”",
    "https://clune.org/posts/per-token-energy-costs-again",
)
KIPPLY = Source(
    "Chen",
    "Transformer Inference Arithmetic",
    2022,
    "“latency calculations” and “comparing against real benchmarks”",
    "https://kipp.ly/transformer-inference-arithmetic/",
)
READING_SPEEDS = Source(
    "Bekman",
    "Machine Learning Engineering Open Book",
    2023,
    "inference/README.md, “Time Per Output Token”",
    "https://github.com/stas00/ml-engineering/blob/master/inference/README.md",
)
BREAK_EVEN = Source(
    "LLM TCO",
    "API vs self-hosting: how break-even actually works",
    None,
    "“Two different cost shapes”, the formulas",
    "https://llmtco.com/guides/api-vs-self-hosting-break-even/",
)
EMBEDDED_TEXTS = Source(
    "Token Math",
    "AI API cost glossary",
    None,
    "“Embedding tokens”, the formula",
    "https://tokenmath.io/glossary/embedding-tokens",
)
