"""Publications that the counting of FLOPs rests on; each was opened at the place named."""

from workings.derivation import Source


def scaling_book(where: str) -> Source:
    """A place in the book's chapter on the mathematics of transformers."""
    return Source(
        "Austin et al.",
        "How to Scale Your Model",
        2025,
        f"part 4, {where}",
        "https://jax-ml.github.io/scaling-book/transformers/",
    )


def _korthikanti(where: str) -> Source:
    return Source(
        "Korthikanti et al.",
        "Reducing Activation Recomputation in Large Transformer Models",
        2023,
        where,
        "https://arxiv.org/abs/2205.05198",
    )


SCALING_BOOK_ACCOUNTING = scaling_book("“Global FLOPs and Params Calculation”")
SCALING_BOOK_CONTEXT = scaling_book("“Fractional cost of attention with context length”")
RECOMPUTATION = _korthikanti("appendix A, equations 7 to 9")
RECOMPUTATION_LAYER = _korthikanti("appendix A")

MEGATRON_FLOPS = Source(
    "Narayanan et al.",
    "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    2021,
    "section 5.1, equation 3",
    "https://arxiv.org/abs/2104.04473",
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
