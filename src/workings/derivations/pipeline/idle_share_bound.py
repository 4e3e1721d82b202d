"""The idle share, and the approximation that is often given for it."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._times import FILLED
from workings.derivations.pipeline.pipeline_bubble_total import PIPELINE_BUBBLE_TOTAL
from workings.derivations.sources import GPIPE
from workings.simulate.pipeline import one_f_one_b
from workings.units import ONE


def idle_over_everything(p: int, m: int) -> Fraction:
    """1F1B run task by task; all ranks' idle time over all ranks' time."""
    schedule = one_f_one_b(p, m)
    return Fraction(sum(schedule.idle(rank) for rank in range(p))) / (p * schedule.makespan)


IDLE_SHARE_BOUND = derivation(
    "idle-share-bound",
    title="Idle share of a pipeline, and its common approximation",
    unit=ONE,
    letters=FILLED,
    uses={"b_t": PIPELINE_BUBBLE_TOTAL.at()},
    source=GPIPE,
    oracle=idle_over_everything,
    convention="Bubble over total time.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    b_i = p*(p - 1)/(p*(m + p - 1))      -- of `p` ranks each waits `p - 1` ticks of `m + p - 1`
      = b_t                              -- so all ranks together idle as one does
      = (p - 1)/(m + p - 1)              -- put the bubble over total time in
      < p/(p + m)                        -- a common approximation, always above: 1/4 at `m = 3*p`
    """,
)
