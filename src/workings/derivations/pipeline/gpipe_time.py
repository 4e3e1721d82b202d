"""GPipe: all forwards, then all backwards."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_TIME
from workings.derivations.pipeline._times import FILLED, TIMES, run_gpipe
from workings.units import SECOND


def run_all_forwards_then_all_backwards(**letters: Any) -> Fraction:
    """GPipe run task by task; the end of the last task."""
    return Fraction(run_gpipe(**letters).makespan)


GPIPE_TIME = derivation(
    "gpipe-time",
    title="Time of a step with GPipe",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    source=MEGATRON_TIME,
    oracle=run_all_forwards_then_all_backwards,
    convention="`p` equal stages; the last micro-batch is the first to go backward.",
    leaves_out="Sending activations between stages, and the optimizer's step.",
    chain="""
    T_gp = sum(T_F, (i, 1, p - 1)) + sum(T_F, (i, 1, m)) + sum(T_B + T_W, (i, 1, m))
           + sum(T_B + T_W, (i, 1, p - 1))
                     -- to fill, then the work of the last rank, then to drain
      = (m + p - 1)*T_F + (m + p - 1)*(T_B + T_W)     -- equal terms
      = (m + p - 1)*(T_F + T_B + T_W)                 -- collect
    """,
)
