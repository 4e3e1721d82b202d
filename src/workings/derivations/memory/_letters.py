"""The letters that every account of a sharded device shares."""

from workings.vocabulary import (
    ACTIVATION_WIDTH,
    BLOCKS,
    D_FF,
    D_MODEL,
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
