"""Publications that the counting of FLOPs rests on; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import (
    KAPLAN,
    MEGATRON_PIPELINE,
    SCALING_BOOK_FLOPS,
    SEQUENCE_PARALLEL,
    ZERO_BUBBLE,
)


def scaling_book(where: str) -> Source:
    """A place in the book's chapter on the mathematics of transformers."""
    return SCALING_BOOK_FLOPS.at(f"part 4, {where}")


SCALING_BOOK_ACCOUNTING = scaling_book("“Global FLOPs and Params Calculation”")
SCALING_BOOK_CONTEXT = scaling_book("“Fractional cost of attention with context length”")
RECOMPUTATION = SEQUENCE_PARALLEL.at("appendix A, equations 7 to 9")
RECOMPUTATION_LAYER = SEQUENCE_PARALLEL.at("appendix A")
ZERO_BUBBLE_LAYER = ZERO_BUBBLE.at("table 1")
MEGATRON_FLOPS = MEGATRON_PIPELINE.at("section 5.1, equation 3")
KAPLAN_COMPUTE = KAPLAN.at("section 2.1, equation 2.2, and table 1")

GPT3 = Source(
    "Brown et al.",
    "Language Models are Few-Shot Learners",
    2020,
    "appendix D, table D.1",
    "https://arxiv.org/abs/2005.14165",
)
