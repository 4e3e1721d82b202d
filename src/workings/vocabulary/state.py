"""What only accounts of model state speak of: parts of a model, and where they lie."""

from workings.units import BYTE
from workings.vocabulary.concept import Concept, Domain, count, whole

QUANT_BLOCK = count(
    "quant_block", "values that share one scale (block-wise quantization)", "B_q", None, "values"
)
STATE_WIDTH = Concept(
    "state_width", "bytes of model state a parameter, as one rank holds it", "w_s", BYTE,
    Domain.NONNEGATIVE, shown_in="byte",
)  # fmt: skip

# Parts of a model
DENSE_PART = count(
    "dense_part",
    "parameters of the model outside its routed experts",
    "P_dense",
    "model.dense_part",
    "parameters",
)
ROUTED_PART = whole(
    "routed_part",
    "parameters of all routed experts of the model",
    "P_exp",
    "model.routed_part",
    "parameters",
)

# Blocks of uneven pipeline stages
FIRST_BLOCKS = whole("first_blocks", "blocks of the first stage", "L_first", None, "blocks")
MIDDLE_BLOCKS = count("middle_blocks", "blocks of each stage between", "L_mid", None, "blocks")
LAST_BLOCKS = whole("last_blocks", "blocks of the last stage", "L_last", None, "blocks")
