"""Interleaving: the step's time over its ideal time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.derivations.pipeline._times import FILLED, TIMES, run_interleaved
from workings.derivations.pipeline.pipeline_ideal_time import PIPELINE_IDEAL_TIME
from workings.units import SECOND
from workings.vocabulary.layout import VIRTUAL_STAGES


def run_chunk_by_chunk(
    p: int, m: int, v: int, T_F: Fraction, T_B: Fraction, T_W: Fraction
) -> Fraction | None:
    """Interleaved 1F1B run task by task; the end of the last task."""
    schedule = run_interleaved(p, m, v, T_F, T_B + T_W)
    return None if schedule is None else Fraction(schedule.makespan)


INTERLEAVED_TIME = derivation(
    "interleaved-time",
    title="Time of a step with `v` chunks on each rank",
    unit=SECOND,
    letters={**FILLED, "v": VIRTUAL_STAGES, **TIMES},
    uses={"T_id": PIPELINE_IDEAL_TIME.at()},
    given=("p divides m",),
    source=MEGATRON_INTERLEAVED,
    oracle=run_chunk_by_chunk,
    convention="Interleaved 1F1B; one chunk is 1F1B. `p*v` equal chunks of layers.",
    leaves_out="Sending activations between chunks, and the optimizer's step.",
    chain="""
    T_int = sum((T_F + T_B + T_W)/v, (i, 1, m*v)) + sum((T_F + T_B + T_W)/v, (i, 1, p - 1))
                       -- a rank's `m*v` chunks of work, and the chunks it waits for at both ends
      = m*(T_F + T_B + T_W) + (p - 1)/v*(T_F + T_B + T_W)       -- equal terms
      = T_id + (p - 1)/(v*m)*T_id                               -- the first term is the ideal time
      = T_id*(1 + (p - 1)/(v*m))                                -- collect
    """,
)
