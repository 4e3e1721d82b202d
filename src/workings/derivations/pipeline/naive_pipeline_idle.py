"""Naive model parallelism: the whole batch at once."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline.pipeline_bubble_total import PIPELINE_BUBBLE_TOTAL
from workings.derivations.sources import GPIPE
from workings.simulate.pipeline import naive
from workings.units import ONE
from workings.vocabulary.layout import STAGES


def run_one_stage_after_the_other(p: int) -> Fraction:
    """The whole batch run as one micro-batch; one rank's idle time over the whole duration."""
    schedule = naive(p)
    return Fraction(schedule.idle(p - 1)) / schedule.makespan


NAIVE_PIPELINE_IDLE = derivation(
    "naive-pipeline-idle",
    title="Idle share of naive model parallelism",
    unit=ONE,
    letters={"p": STAGES},
    uses={"b_t": PIPELINE_BUBBLE_TOTAL.at(m="1")},
    source=GPIPE,
    oracle=run_one_stage_after_the_other,
    convention="Over total time.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    b_naive = b_t                  -- a pipeline with a single micro-batch
      = (p - 1)/(1 + p - 1)        -- put the bubble in
      = (p - 1)/p                  -- one rank of `p` works at a time
    """,
)
