"""1F1B: backward as early as possible."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_1F1B
from workings.derivations.pipeline._times import FILLED, TIMES, run_1f1b
from workings.units import SECOND


def run_one_forward_one_backward(**letters: Any) -> Fraction:
    """1F1B run task by task; the end of the last task."""
    return Fraction(run_1f1b(**letters).makespan)


ONE_F_ONE_B_TIME = derivation(
    "one-f-one-b-time",
    title="Time of a step with 1F1B",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    source=MEGATRON_1F1B,
    oracle=run_one_forward_one_backward,
    convention="`p` equal stages. 1F1B (PipeDream-Flush) holds fewer activations than GPipe.",
    leaves_out="Sending activations between stages, and the optimizer's step.",
    chain="""
    T_1f1b = sum(T_F, (i, 1, p - 1)) + sum(T_F + T_B + T_W, (i, 1, m)) + sum(T_B + T_W, (i, 1, p - 1))
                     -- to fill, then the last rank takes turns without a pause, then to drain
      = (p - 1)*T_F + m*(T_F + T_B + T_W) + (p - 1)*(T_B + T_W)      -- equal terms
      = (m + p - 1)*(T_F + T_B + T_W)                 -- collect: exactly as long as GPipe
    """,
)
