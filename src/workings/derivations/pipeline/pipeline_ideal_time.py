"""What a step of a pipeline would take if no rank ever waited."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_GPIPE
from workings.derivations.pipeline._times import FILLED, TIMES, run_1f1b
from workings.units import SECOND


def add_up_a_rank(**letters: Any) -> Fraction:
    """1F1B run task by task; the time in which the first rank is busy."""
    return Fraction(run_1f1b(**letters).busy(0))


PIPELINE_IDEAL_TIME = derivation(
    "pipeline-ideal-time",
    title="Ideal time of a step",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    source=MEGATRON_GPIPE,
    oracle=add_up_a_rank,
    convention="`p` equal stages; the times are those of one rank, so `p` itself does not appear.",
    leaves_out="Waiting, sending, and the optimizer's step.",
    chain="""
    T_id = sum(T_F, (i, 1, m)) + sum(T_B, (i, 1, m)) + sum(T_W, (i, 1, m))
                                     -- a forward and both halves of a backward per micro-batch
      = m*T_F + m*T_B + m*T_W        -- equal terms
      = m*(T_F + T_B + T_W)          -- collect
    """,
)
