"""Publications that time and scale rest on; each was opened at the place named."""

from workings.derivation import Source

PALM_MFU = Source(
    "Chowdhery et al.",
    "PaLM: Scaling Language Modeling with Pathways",
    2022,
    "section 4.1 and appendix B",
    "https://arxiv.org/abs/2204.02311",
)
_NARAYANAN = (
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
)
_MEGATRON_URL = "https://arxiv.org/abs/2104.04473"
MEGATRON_DAYS = Source(*_NARAYANAN, "section 5.1, equation 4", _MEGATRON_URL)
MEGATRON_WEAK = Source(*_NARAYANAN, "section 5.1, table 1", _MEGATRON_URL)
MEGATRON_BUBBLE = Source(*_NARAYANAN, "sections 2.2.1 and 3.2", _MEGATRON_URL)
MEGATRON_TENSOR = Source(*_NARAYANAN, "section 3.2", _MEGATRON_URL)
MEGATRON_DATA = Source(*_NARAYANAN, "section 3.3.1", _MEGATRON_URL)
HFU = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "section 6.3",
    "https://arxiv.org/abs/2205.05198",
)
SCALING_BOOK_LLAMA = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 6, “Counting Parameters and FLOPs”",
    "https://jax-ml.github.io/scaling-book/applied-training/",
)
LLAMA_3 = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.4",
    "https://arxiv.org/abs/2407.21783",
)
LLAMA_3_MFU = Source(
    "Grattafiori et al.",
    "The Llama 3 Herd of Models",
    2024,
    "section 3.3.2, table 4",
    "https://arxiv.org/abs/2407.21783",
)
CLUSTER_COST = Source(
    "Janapa Reddi et al.",
    "Machine Learning Systems",
    2025,
    "volume 2, Fault Tolerance, “Model-type diversity in failure impact”",
    "https://github.com/harvard-edge/cs249r_book/blob/dev/book/quarto/contents/vol2/"
    "fault_tolerance/fault_tolerance.qmd",
)
CHINCHILLA = Source(
    "Hoffmann et al.",
    "Training Compute-Optimal Large Language Models",
    2022,
    "section 3.4, table 3",
    "https://arxiv.org/abs/2203.15556",
)
NOISE_SCALE = Source(
    "McCandlish et al.",
    "An Empirical Model of Large-Batch Training",
    2018,
    "section 2.2",
    "https://arxiv.org/abs/1812.06162",
)
CRITICAL_BATCH = Source(
    "Kaplan et al.",
    "Scaling Laws for Neural Language Models",
    2020,
    "section 5.1, equations 5.1, 5.2 and 5.4",
    "https://arxiv.org/abs/2001.08361",
)
