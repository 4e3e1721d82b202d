"""Letters that many derivations here share."""

from workings.vocabulary.data_parallel import UNIT_PARAMETERS
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE, LATENCY
from workings.vocabulary.layout import SAME_RANKS, SHARING_RANKS
from workings.vocabulary.state import HELD
from workings.vocabulary.training import (
    GATHER_WIDTH,
    MICROBATCH,
    MICROBATCHES,
    REDUCE_WIDTH,
    SEQUENCE_LENGTH,
)

# What ranks share (ZeRO, FSDP), and what all ranks that hold the same add up (DDP).
VOLUME = {"P": HELD, "d": SHARING_RANKS}
SAME = {"P": HELD, "d": SAME_RANKS}
WIDTHS = {"w": GATHER_WIDTH, "g": REDUCE_WIDTH}
STEP = {**VOLUME, "m": MICROBATCHES, **WIDTHS}
SAME_STEP = {**SAME, "m": MICROBATCHES, "g": REDUCE_WIDTH}

# One unit's forward on a device against the gather of the next.
RACE = {
    "b_m": MICROBATCH,
    "s": SEQUENCE_LENGTH,
    "P_u": UNIT_PARAMETERS,
    "d": SHARING_RANKS,
    "w": GATHER_WIDTH,
    "alpha": LATENCY,
    "W_b": BANDWIDTH,
    "C": COMPUTE,
}
