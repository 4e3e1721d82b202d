"""The letters that every account of a sharded device shares."""

from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    GRADIENT_WIDTH,
    MASTER_WIDTH,
    MOMENT_WIDTH,
    TOKENS,
)

DEVICE_LETTERS = {
    "L": BLOCKS,
    "D": D_MODEL,
    "F": D_FF,
    "B": TOKENS,
    "w_p": MASTER_WIDTH,
    "w_g": GRADIENT_WIDTH,
    "w_o": MOMENT_WIDTH,
    "a": ACTIVATION_WIDTH,
}
