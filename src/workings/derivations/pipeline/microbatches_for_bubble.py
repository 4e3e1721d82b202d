"""Micro-batches from which the bubble is small enough, over ideal time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_GPIPE
from workings.derivations.pipeline._times import FILLED, SMALL
from workings.simulate.pipeline import one_f_one_b
from workings.units import ONE
from workings.vocabulary.pipeline import BUBBLE_LIMIT


def run_with_so_many(p: int, m: int, x: Fraction) -> bool | None:
    """1F1B run with so many micro-batches; idle time over busy time, compared with the limit."""
    if p * m > SMALL:
        return None
    schedule = one_f_one_b(p, m)
    return Fraction(schedule.idle(0)) / schedule.busy(0) <= x


MICROBATCHES_FOR_BUBBLE = derivation(
    "microbatches-for-bubble",
    title="Micro-batches for a bubble of at most `x` of the ideal time",
    unit=ONE,
    noun="micro-batches",
    letters={**FILLED, "x": BUBBLE_LIMIT},
    source=MEGATRON_GPIPE,
    oracle=run_with_so_many,
    convention="Bubble over ideal time; one chunk on each rank.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    (p - 1)/m <= x             -- the bubble of GPipe and of 1F1B
      <=> p - 1 <= x*m         -- times `m`
      <=> m >= (p - 1)/x       -- solve for the micro-batches
    """,
)
