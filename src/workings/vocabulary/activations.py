"""What only accounts of activations speak of: what a block saves, and what a moment adds."""

from workings.units import BYTE
from workings.vocabulary.concept import Concept, Domain, whole

KEPT_BY_BLOCK = Concept(
    "kept_by_block", "bytes one block saves for one micro-batch on one rank", "A", BYTE,
    supplied="training.kept_by_block", kin="block-activations",
)  # fmt: skip
KEPT_BY_BLOCKS = Concept(
    "kept_by_blocks", "bytes all blocks save for one micro-batch on one rank, one stage", "A_L", BYTE,
    supplied="training.kept_by_blocks", kin="blocks-activations",
)  # fmt: skip
KEPT_INPUT_GRADIENT = Concept(
    "kept_for_inputs", "bytes a stage holds for a micro-batch until its input's gradient is done",
    "M_B", BYTE,
)  # fmt: skip
KEPT_WEIGHT_GRADIENT = Concept(
    "kept_for_weights", "bytes it still holds after that, until its weights' gradients are done",
    "M_W", BYTE,
)  # fmt: skip
BACKWARD_BUFFERS = Concept(
    "backward_buffers", "bytes a backward needs for gradients of activations and other temporaries",
    "M_back", BYTE, Domain.NONNEGATIVE,
)  # fmt: skip
STEP_BUFFERS = Concept(
    "step_buffers", "bytes the optimizer step needs for its temporaries", "M_step", BYTE,
    Domain.NONNEGATIVE,
)  # fmt: skip
SAVED_WIDE = whole(
    "saved_of_model", "tensors of the model's width that a block saves", "c_D", None, "tensors"
)
SAVED_HIDDEN = whole(
    "saved_of_feed_forward", "tensors of the feed-forward's width that a block saves", "c_F", None,
    "tensors",
)  # fmt: skip
