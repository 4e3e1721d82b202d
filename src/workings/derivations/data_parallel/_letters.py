"""Letters that many derivations here share."""

from workings.vocabulary.data_parallel import UNIT_PARAMETERS
from workings.vocabulary.hardware import BANDWIDTH, COMPUTE, LATENCY
from workings.vocabulary.layout import DP
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import (
    GATHER_WIDTH,
    MICROBATCH,
    MICROBATCHES,
    REDUCE_WIDTH,
    SEQUENCE_LENGTH,
)

VOLUME = {"P": PARAMETERS, "d": DP}
WIDTHS = {"w": GATHER_WIDTH, "g": REDUCE_WIDTH}
STEP = {**VOLUME, "m": MICROBATCHES, **WIDTHS}

# One unit's forward on a device against the gather of the next.
RACE = {
    "b_m": MICROBATCH,
    "s": SEQUENCE_LENGTH,
    "P_u": UNIT_PARAMETERS,
    "d": DP,
    "w": GATHER_WIDTH,
    "alpha": LATENCY,
    "W_b": BANDWIDTH,
    "C": COMPUTE,
}
