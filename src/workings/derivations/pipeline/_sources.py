"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivation import Source

_NARAYANAN = (
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
)
_MEGATRON_URL = "https://arxiv.org/abs/2104.04473"

MEGATRON_GPIPE = Source(*_NARAYANAN, "section 2.2.1 and equation 1", _MEGATRON_URL)
MEGATRON_1F1B = Source(*_NARAYANAN, "section 2.2.1, on PipeDream-Flush", _MEGATRON_URL)
MEGATRON_INTERLEAVED = Source(*_NARAYANAN, "section 2.2.2", _MEGATRON_URL)
MEGATRON_NOTATION = Source(*_NARAYANAN, "section 3.1", _MEGATRON_URL)
MEGATRON_DATA = Source(*_NARAYANAN, "sections 3.1 to 3.3.1", _MEGATRON_URL)
MEGATRON_TIME = Source(*_NARAYANAN, "section 3.4, equation 1", _MEGATRON_URL)
MEGATRON_SENDS = Source(*_NARAYANAN, "section 3.2", _MEGATRON_URL)
MEGATRON_SCATTER = Source(*_NARAYANAN, "section 4.1", _MEGATRON_URL)
GPIPE_BALANCE = Source(
    "Huang et al.",
    "GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism",
    2019,
    "section 2.3, on partitions that are not balanced",
    "https://arxiv.org/abs/1811.06965",
)
ZERO_BUBBLE = Source(
    "Qi et al.",
    "Zero Bubble Pipeline Parallelism",
    2024,
    "sections 2.1 to 2.3, table 2",
    "https://arxiv.org/abs/2401.10241",
)
ZERO_BUBBLE_RATES = Source(
    "Qi et al.",
    "Zero Bubble Pipeline Parallelism",
    2024,
    "section 5.3, table 5 (its bubble rates of 1F1B), and table 6 (the times they are computed from)",
    "https://arxiv.org/abs/2401.10241",
)
DUALPIPE = Source(
    "DeepSeek-AI",
    "DeepSeek-V3 Technical Report",
    2024,
    "section 3.2.1, table 2",
    "https://arxiv.org/abs/2412.19437",
)
CHINCHILLA = Source(
    "Hoffmann et al.",
    "Training Compute-Optimal Large Language Models",
    2022,
    "abstract",
    "https://arxiv.org/abs/2203.15556",
)
