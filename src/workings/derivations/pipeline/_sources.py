"""Publications that the derivations of this topic rest on; each was opened at the place named."""

from workings.derivations.sources import MEGATRON_PIPELINE, ZERO_BUBBLE

MEGATRON_GPIPE = MEGATRON_PIPELINE.at("section 2.2.1 and equation 1")
MEGATRON_INTERLEAVED = MEGATRON_PIPELINE.at("section 2.2.2")
MEGATRON_TIME = MEGATRON_PIPELINE.at("section 3.4, equation 1")

ZERO_BUBBLE_LIMIT = ZERO_BUBBLE.at("appendix B")
