"""Publications on activation memory; each was opened at the place named."""

from workings.derivations.sources import SEQUENCE_PARALLEL, ZERO_BUBBLE

korthikanti = SEQUENCE_PARALLEL.at  # the paper that counted the tensors of a block first

TENSOR_EQ_2 = korthikanti("section 4.2.1, equation 2")
PIPELINE_EQ_5 = korthikanti("section 4.2.3, equation 5")
ENDS = korthikanti("section 4.3")
FULL = korthikanti("section 5 and table 2")
DEALLOCATION = korthikanti("appendix B")

ZB_HANDCRAFTED = ZERO_BUBBLE.at("section 2.3 and table 2")
ZERO_BUBBLE_LAYER = ZERO_BUBBLE.at("table 1")
ZB_V = ZERO_BUBBLE.at("section 6")
