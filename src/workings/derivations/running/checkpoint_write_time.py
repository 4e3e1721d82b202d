"""Time to write a checkpoint."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._sources import LLAMA_3_STORAGE
from workings.derivations.scale.files import CHECKPOINT_BYTES
from workings.units import SECOND
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.running import STORAGE
from workings.vocabulary.training import MASTER_WIDTH, MOMENT_WIDTH


def write_value_after_value(P: int, w_p: Fraction, w_o: Fraction, W_s: Fraction) -> Fraction:
    """Every parameter's weight and moments written in turn at the storage's pace; the clock."""
    clock = Fraction(0)
    for _ in range(P):
        for width in (w_p, w_o, w_o):
            clock += width / W_s
    return clock


CHECKPOINT_WRITE_TIME = derivation(
    "checkpoint-write-time",
    title="Time to write a checkpoint",
    unit=SECOND,
    letters={"P": PARAMETERS, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH, "W_s": STORAGE},
    uses={"S_ckpt": CHECKPOINT_BYTES.at()},
    source=LLAMA_3_STORAGE,
    oracle=write_value_after_value,
    convention="All devices write at once; the storage, not their links, sets the pace. Where "
    "checkpoints are written while training goes on, only the copy out of memory stops the job.",
    chain="""
    T_write = S_ckpt/W_s                     -- bytes, over bytes a second
      = (w_p + 2*w_o)*P/W_s                  -- put the bytes in
    """,
)
