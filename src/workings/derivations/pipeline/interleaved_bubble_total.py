"""Interleaving: the bubble over total time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.derivations.pipeline._times import FILLED, run_interleaved
from workings.derivations.pipeline.interleaved_bubble import INTERLEAVED_BUBBLE
from workings.units import ONE
from workings.vocabulary.layout import VIRTUAL_STAGES


def wait_in_all_the_time(p: int, m: int, v: int) -> Fraction | None:
    """Interleaved 1F1B run task by task; one rank's idle time over the whole duration."""
    schedule = run_interleaved(p, m, v)
    return None if schedule is None else Fraction(schedule.idle(p - 1)) / schedule.makespan


INTERLEAVED_BUBBLE_TOTAL = derivation(
    "interleaved-bubble-total",
    title="Bubble with `v` chunks on each rank, over total time",
    unit=ONE,
    letters={**FILLED, "v": VIRTUAL_STAGES},
    uses={"beta_v": INTERLEAVED_BUBBLE.at(T_F="1[s]", T_B="1[s]", T_W="1[s]")},
    given=("p divides m",),
    source=MEGATRON_INTERLEAVED,
    oracle=wait_in_all_the_time,
    convention="Bubble over total time, ideal time and bubble together.",
    leaves_out="Sending activations between chunks.",
    chain="""
    b_v = beta_v/(1 + beta_v)                           -- the bubble over ideal time and bubble
      = ((p - 1)/(v*m))/(1 + (p - 1)/(v*m))             -- put the bubble in
      = (p - 1)/(v*m + p - 1)                           -- multiply above and below by `v*m`
    """,
)
