"""Interleaving: the bubble over ideal time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.derivations.pipeline._times import FILLED, TIMES, run_interleaved
from workings.units import ONE
from workings.vocabulary.layout import VIRTUAL_STAGES


def wait_between_chunks(
    p: int, m: int, v: int, T_F: Fraction, T_B: Fraction, T_W: Fraction
) -> Fraction | None:
    """Interleaved 1F1B run task by task; the first rank's idle time over its busy time."""
    schedule = run_interleaved(p, m, v, T_F, T_B + T_W)
    return None if schedule is None else Fraction(schedule.idle(0)) / schedule.busy(0)


INTERLEAVED_BUBBLE = derivation(
    "interleaved-bubble",
    title="Bubble with `v` chunks on each rank, over ideal time",
    unit=ONE,
    letters={**FILLED, "v": VIRTUAL_STAGES, **TIMES},
    given=("p divides m",),
    source=MEGATRON_INTERLEAVED,
    oracle=wait_between_chunks,
    convention="Bubble over ideal time. Interleaved 1F1B; `p*v` equal chunks of layers.",
    leaves_out="Sending activations between chunks: `v` times as many.",
    chain="""
    beta_v = ((p - 1)*(T_F/v) + (p - 1)*((T_B + T_W)/v))/(m*(T_F + T_B + T_W))
                       -- waiting is counted in chunks, a `v`-th of a rank's time, at both ends
      = ((p - 1)/v*(T_F + T_B + T_W))/(m*(T_F + T_B + T_W))     -- collect
      = (p - 1)/(v*m)                                           -- cancel
    """,
)
