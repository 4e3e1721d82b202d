"""Routing tokens to experts."""

from workings.units import ONE
from workings.vocabulary.concept import Concept, count, whole

CAPACITY_FACTOR = Concept("capacity_factor", "room an expert keeps, over its even share", "phi", ONE)
IMBALANCE = Concept("imbalance", "tokens of the busiest, over the mean", "lambda", ONE)
SPREAD = Concept(
    "spread", "standard deviation of an expert's tokens, over their mean", "delta", ONE
)  # fmt: skip
NODE_LIMIT = count("node_limit", "nodes a token may be sent to", "M", None, "nodes")
EXPERT_TOKENS = count("expert_tokens", "tokens an expert receives", "n_E", None, "tokens")
ROUTED_TOKENS = count("routed_tokens", "tokens that are routed together", "T_g", None, "tokens")
DENSE_PARAMETERS = count(
    "dense_rank_parameters",
    "parameters a rank holds outside its routed experts",
    "P_d",
    "model.dense_rank_part",
    "parameters",
)
STAGE_MOE_BLOCKS = whole(
    "stage_moe_blocks", "blocks with experts on the stage that has most of them", "L_E",
    "model.stage_moe_blocks", "blocks",
)._replace(kin="moe_blocks")  # fmt: skip
