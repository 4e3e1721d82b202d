"""What only pipelines speak of: the times of their tasks, and how deep they are."""

from workings.units import SECOND
from workings.vocabulary.concept import Concept, Domain, count, seconds, share, whole

# Times of one micro-batch on one rank, all its chunks together
FORWARD_TIME = Concept("forward_time", "time of a micro-batch's forward on one rank", "T_F", SECOND)
INPUT_GRADIENT_TIME = Concept(
    "input_gradient_time", "time of its backward on one rank, for the gradient of the input", "T_B",
    SECOND,
)  # fmt: skip
WEIGHT_GRADIENT_TIME = Concept(
    "weight_gradient_time", "time of its backward on one rank, for the gradients of the weights", "T_W",
    SECOND, Domain.NONNEGATIVE,
)  # fmt: skip
OVERLAPPED_TIME = Concept(
    "overlapped_time", "time of a forward and a whole backward run together", "T_FB", SECOND
)
LAYER_TIME = Concept(
    "layer_time", "time of a micro-batch's forward and backward in one layer", "T_l", SECOND
)
EMBEDDING_TIME = seconds(
    "embedding_time", "time of a micro-batch's forward and backward in the embedding", "T_emb"
)
HEAD_TIME = seconds(
    "head_time", "time of a micro-batch's forward and backward in the head and the loss", "T_head"
)
ALL_STAGES_TIME = Concept(
    "all_stages_time", "time of a micro-batch's forward and backward in all stages", "T_all", SECOND
)
SLOWEST_STAGE_TIME = Concept(
    "slowest_stage_time", "time of a micro-batch's forward and backward in the slowest stage", "T_max",
    SECOND,
)  # fmt: skip

# How deep a pipeline is, and how well it is filled
MICROBATCHES_PER_STAGE = count(
    "microbatches_per_stage", "micro-batches for each stage", "r", None, "micro-batches"
)
WARM_UP_FORWARDS = count(
    "warm_up_forwards", "forward passes of the first stage before its first backward", "n_w", None,
    "forward passes",
)  # fmt: skip
LAYERS_PER_RANK = count("layers_per_rank", "layers a rank holds", "L_p", None, "layers")
LAYER_PARAMETERS = count(
    "layer_parameters", "parameters of one layer", "P_l", "model.layer_parameters", "parameters"
)
LAYER_COPIED = whole(
    "layer_copied", "parameters of one layer that every tensor-parallel rank holds whole", "R_l",
    "model.layer_copied", "parameters",
)  # fmt: skip
BUBBLE_LIMIT = Concept("bubble_limit", "largest bubble allowed, over ideal time", "x")
IDLE_LIMIT = share("idle_limit", "largest share of the total time allowed to be idle", "y")
