"""The bubble at one end only: where a factor of 2 comes from."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED
from workings.derivations.pipeline._times import FILLED, run_interleaved
from workings.derivations.pipeline.interleaved_bubble import INTERLEAVED_BUBBLE
from workings.units import ONE
from workings.vocabulary.layout import VIRTUAL_STAGES
from workings.vocabulary.pipeline import FORWARD_TIME


def wait_for_the_first_task(p: int, m: int, v: int, T_F: Fraction) -> Fraction | None:
    """Interleaved 1F1B run task by task; the last rank's first start over its busy time."""
    schedule = run_interleaved(p, m, v, T_F, T_F)
    return None if schedule is None else Fraction(schedule.of(p - 1)[0].start) / schedule.busy(p - 1)


INTERLEAVED_BUBBLE_START = derivation(
    "interleaved-bubble-start",
    title="What the last rank waits at the start only, over ideal time",
    unit=ONE,
    letters={**FILLED, "v": VIRTUAL_STAGES, "T_F": FORWARD_TIME},
    uses={"beta_v": INTERLEAVED_BUBBLE.at(T_B="T_F/2", T_W="T_F/2")},
    given=("p divides m",),
    source=MEGATRON_INTERLEAVED,
    oracle=wait_for_the_first_task,
    convention="A whole backward takes as long as a forward (with twice as long it is a third).",
    leaves_out="The wait at the end, which is as long: `(p - 1)/(2*v*m)` is half of the bubble.",
    chain="""
    beta_1 = sum(T_F/v, (i, 1, p - 1))/(m*(T_F + T_F))
                                    -- `p - 1` chunks go forward before the last rank has work
      = (p - 1)*(T_F/v)/(2*m*T_F)   -- equal terms; a forward and a backward are `2*T_F`
      = beta_v/2                    -- half of `(p - 1)/(v*m)`
      = (p - 1)/(2*v*m)             -- put the bubble in
    """,
)
