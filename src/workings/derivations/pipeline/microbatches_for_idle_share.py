"""Micro-batches from which the bubble is small enough, over total time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._times import FILLED, SMALL
from workings.derivations.sources import GPIPE
from workings.simulate.pipeline import gpipe
from workings.units import ONE
from workings.vocabulary.pipeline import IDLE_LIMIT


def watch_the_idle_share(p: int, m: int, y: Fraction) -> bool | None:
    """GPipe run with so many micro-batches; idle time over the duration, compared with the limit."""
    if p * m > SMALL:
        return None
    schedule = gpipe(p, m)
    return Fraction(schedule.idle(0)) / schedule.makespan <= y


MICROBATCHES_FOR_IDLE_SHARE = derivation(
    "microbatches-for-idle-share",
    title="Micro-batches for a bubble of at most `y` of the total time",
    unit=ONE,
    noun="micro-batches",
    letters={**FILLED, "y": IDLE_LIMIT},
    source=GPIPE,
    oracle=watch_the_idle_share,
    convention="Bubble over total time; one chunk on each rank.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    (p - 1)/(m + p - 1) <= y               -- the bubble over total time
      <=> p - 1 <= y*(m + p - 1)           -- times the ticks
      <=> (p - 1)*(1 - y) <= y*m           -- the terms with `p` to one side
      <=> m >= (p - 1)*(1 - y)/y           -- solve for the micro-batches
    """,
)
