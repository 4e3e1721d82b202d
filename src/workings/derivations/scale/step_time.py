"""The wall time of a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline.bubble import PIPELINE_BUBBLE, PIPELINE_BUBBLE_TOTAL
from workings.derivations.scale._sources import MEGATRON_BUBBLE
from workings.simulate.pipeline import gpipe
from workings.units import SECOND
from workings.vocabulary.layout import STAGES
from workings.vocabulary.scale import COMPUTE_TIME, EXPOSED_TIME
from workings.vocabulary.training import MICROBATCHES


def run_a_step(p: int, m: int, T_c: Fraction, T_x: Fraction) -> Fraction:
    """The pipeline run tick by tick, a tick worth its part of the compute; then the exposed rest."""
    schedule = gpipe(p, m)
    return schedule.makespan * T_c / schedule.busy(0) + T_x


STEP_TIME = derivation(
    "step-time",
    title="Wall time of a training step",
    unit=SECOND,
    letters={"p": STAGES, "m": MICROBATCHES, "T_c": COMPUTE_TIME, "T_x": EXPOSED_TIME},
    uses={"beta": PIPELINE_BUBBLE.at(), "b_t": PIPELINE_BUBBLE_TOTAL.at()},
    source=MEGATRON_BUBBLE,
    oracle=run_a_step,
    convention="`beta` is the bubble over ideal time, `b_t` the bubble over the time of compute and "
    "bubble together; communication is exposed once a step, beside the bubble.",
    leaves_out="The optimizer's step and reading data, unless `T_x` holds them.",
    chain="""
    T_step = T_c + beta*T_c + T_x            -- compute, waiting, communication that is not hidden
      = T_c*(1 + (p - 1)/m) + T_x            -- put the bubble in
      = T_c/(1 - b_t) + T_x                  -- the same with the bubble over total time
    """,
)
