"""Publications that the counting of FLOPs rests on; each was opened at the place named."""

from workings.derivation import Source

MEGATRON_FLOPS = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 5.1, equation 3",
    "https://arxiv.org/abs/2104.04473",
)


RECOMPUTATION = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "appendix A, equations 7 to 9",
    "https://arxiv.org/abs/2205.05198",
)


RECOMPUTATION_LAYER = Source(
    "Korthikanti et al.",
    "Reducing Activation Recomputation in Large Transformer Models",
    2023,
    "appendix A",
    "https://arxiv.org/abs/2205.05198",
)


KAPLAN_COMPUTE = Source(
    "Kaplan et al.",
    "Scaling Laws for Neural Language Models",
    2020,
    "section 2.1, equation 2.2, and table 1",
    "https://arxiv.org/abs/2001.08361",
)


GPT3 = Source(
    "Brown et al.",
    "Language Models are Few-Shot Learners",
    2020,
    "appendix D, table D.1",
    "https://arxiv.org/abs/2005.14165",
)


SCALING_BOOK_ACCOUNTING = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 4, “Global FLOPs and Params Calculation”",
    "https://jax-ml.github.io/scaling-book/transformers/",
)


SCALING_BOOK_CONTEXT = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 4, “Fractional cost of attention with context length”",
    "https://jax-ml.github.io/scaling-book/transformers/",
)
