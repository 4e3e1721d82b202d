"""What only accounts of model state speak of: parts of a model, and where they lie."""

from workings.units import BYTE, ONE
from workings.vocabulary import experts, layout
from workings.vocabulary.concept import Concept, Domain, count, whole, width

QUANT_BLOCK = count(
    "quant_block", "values that share one scale (block-wise quantization)", "B_q", None, "values"
)
STATE_WIDTH = Concept(
    "state_width", "bytes of model state a parameter, as one rank holds it", "w_s", BYTE,
    Domain.NONNEGATIVE, shown_in="byte",
)  # fmt: skip

# Optimizers other than Adam
MOMENTS = whole(
    "moments", "moments that the optimizer keeps of a parameter: 0 plain SGD, 1 momentum, 2 Adam", "n_o",
    None, "moments",
)  # fmt: skip
MATRIX_PART = whole(
    "matrix_part", "parameters in the matrices of blocks, which Muon updates", "P_mat", None, "parameters"
)
AVERAGE_WIDTH = width(
    "average_width", "bytes per weight of a moving average of the weights", "w_e", None, zero=True
)

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

# What the fullest rank holds, and the stage that it belongs to
HELD = count(
    "rank_parameters", "parameters that a rank holds before any are shared (the fullest rank)", "P",
    "model.rank_parameters", "parameters",
)._replace(kin="parameters")  # fmt: skip
ROUTED_HELD = whole(
    "routed_rank_parameters", "parameters that a rank holds in its routed experts", "P_x",
    "model.routed_rank_part", "parameters",
)  # fmt: skip
# The rank that keeps most state is another where a stage of ZeRO shares more of it.
ZERO = " under ZeRO "


def _under_zero(stage: int, concept: Concept) -> Concept:
    """A figure of the rank that keeps most state under a stage of ZeRO."""
    meaning = concept.meaning.replace("the fullest rank", f"the rank that keeps most under ZeRO-{stage}")
    name, key = f"zero_{stage}_{concept.name}", f"{concept.supplied}{ZERO}{stage}"
    return concept._replace(name=name, meaning=meaning, supplied=key)


HELD_1, HELD_2, HELD_3 = (_under_zero(stage, HELD) for stage in (1, 2, 3))
STATE_RANKS_1, STATE_RANKS_2, STATE_RANKS_3 = (_under_zero(n, layout.STATE_RANKS) for n in (1, 2, 3))
SHARING_RANKS_1 = _under_zero(1, layout.SHARING_RANKS)
DENSE_HELD_1 = _under_zero(1, experts.DENSE_PARAMETERS)
ROUTED_HELD_1 = _under_zero(1, ROUTED_HELD)

STAGE_SPLIT = count(
    "stage_split", "parameters of the stage that tensor parallelism splits", "P_split",
    "model.stage_split", "parameters",
)  # fmt: skip
STAGE_COPIED = whole(
    "stage_copied", "parameters of the stage that every tensor-parallel rank holds whole", "P_copy",
    "model.stage_copied", "parameters",
)  # fmt: skip
STAGE_ROUTED = whole(
    "stage_routed", "parameters of the stage's routed experts", "P_exp", "model.stage_routed",
    "parameters",
)  # fmt: skip

# Blocks of uneven pipeline stages
FIRST_BLOCKS = whole("first_blocks", "blocks of the first stage", "L_first", None, "blocks")
MIDDLE_BLOCKS = count("middle_blocks", "blocks of each stage between", "L_mid", None, "blocks")
LAST_BLOCKS = whole("last_blocks", "blocks of the last stage", "L_last", None, "blocks")
EXPERT_PART = count(
    "expert_part", "parameters of one routed expert, over all blocks", "P_x", None, "parameters"
)

# State that lies on the host
HOST_RESERVE = Concept(
    "host_reserve", "times what it holds that a host's memory is planned for", "x_h", ONE
)
