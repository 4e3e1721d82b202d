"""The bubble of GPipe and 1F1B as a time."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline._sources import ZERO_BUBBLE
from workings.derivations.pipeline._times import FILLED, TIMES, run_1f1b
from workings.derivations.pipeline.one_f_one_b_time import ONE_F_ONE_B_TIME
from workings.derivations.pipeline.pipeline_ideal_time import PIPELINE_IDEAL_TIME
from workings.units import SECOND


def wait_in_1f1b(**letters: Any) -> Fraction:
    """1F1B run task by task; the time in which the last rank runs nothing."""
    schedule = run_1f1b(**letters)
    return Fraction(schedule.idle(schedule.ranks - 1))


ONE_F_ONE_B_BUBBLE = derivation(
    "one-f-one-b-bubble",
    title="Bubble of 1F1B as a time",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    uses={"T_1f1b": ONE_F_ONE_B_TIME.at(), "T_id": PIPELINE_IDEAL_TIME.at()},
    source=ZERO_BUBBLE,
    oracle=wait_in_1f1b,
    convention="`T_B` is the gradient of the input alone. DeepSeek-V3 writes B for `T_B + T_W`.",
    leaves_out="Sending activations between stages.",
    chain="""
    B_1f1b = T_1f1b - T_id                                      -- what is more than the work
      = (m + p - 1)*(T_F + T_B + T_W) - m*(T_F + T_B + T_W)     -- put both in
      = (p - 1)*(T_F + T_B + T_W)                               -- it does not depend on `m`
    """,
)
