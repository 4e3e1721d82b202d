"""The letters of the volumes that a stage sends for one micro-batch."""

from workings.vocabulary.model import D_MODEL
from workings.vocabulary.pipeline import LAYERS_PER_RANK
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

LETTERS = {
    "L_p": LAYERS_PER_RANK, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "D": D_MODEL,
    "a": ACTIVATION_WIDTH,
}  # fmt: skip
