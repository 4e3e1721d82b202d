"""Idle time of a pipeline over its total time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline.pipeline_bubble import PIPELINE_BUBBLE
from workings.derivations.sources import GPIPE
from workings.simulate.pipeline import gpipe
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.training import MICROBATCHES


def run_the_schedule_to_its_end(p: int, m: int) -> Fraction:
    """The schedule run tick by tick; one stage's idle time over the whole duration."""
    schedule = gpipe(p, m)
    return Fraction(schedule.idle(0)) / schedule.makespan


PIPELINE_BUBBLE_TOTAL = derivation(
    "pipeline-bubble-total",
    title="Pipeline bubble over total time",
    unit=ONE,
    letters={"p": STAGES, "m": MICROBATCHES},
    uses={"beta": PIPELINE_BUBBLE.at()},
    source=GPIPE,
    oracle=run_the_schedule_to_its_end,
    convention="Bubble over total time, ideal time and bubble together.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    b_t = beta/(1 + beta)               -- the bubble over ideal time and bubble
      = ((p - 1)/m)/(1 + (p - 1)/m)       -- put the bubble in
      = (p - 1)/(m + p - 1)             -- multiply above and below by `m`
    """,
)
