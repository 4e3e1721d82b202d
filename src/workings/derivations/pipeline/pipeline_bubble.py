"""Idle time of a pipeline over its ideal time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import MEGATRON_PIPELINE
from workings.simulate.pipeline import gpipe
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.training import MICROBATCHES


def run_the_schedule(p: int, m: int) -> Fraction:
    """The schedule run tick by tick; one stage's idle time over its busy time."""
    schedule = gpipe(p, m)
    return Fraction(schedule.idle(0)) / schedule.busy(0)


PIPELINE_BUBBLE = derivation(
    "pipeline-bubble",
    title="Pipeline bubble over ideal time",
    unit=ONE,
    letters={"p": STAGES, "m": MICROBATCHES},
    source=MEGATRON_PIPELINE,
    oracle=run_the_schedule,
    convention="Bubble over ideal time, that is over the busy time of one stage.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    beta = (2*(p - 1) + (p - 1))/(2*m + m)
                                 -- backward 2 ticks, forward 1: waiting at both ends, over work
      = 3*(p - 1)/(3*m)          -- add the ticks
      = (p - 1)/m                -- cancel
    """,
)
