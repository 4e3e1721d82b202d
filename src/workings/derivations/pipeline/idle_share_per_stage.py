"""A rule of thumb for micro-batches, and the bubble it leaves over total time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline.pipeline_bubble_total import PIPELINE_BUBBLE_TOTAL
from workings.derivations.sources import GPIPE
from workings.simulate.pipeline import gpipe
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.pipeline import MICROBATCHES_PER_STAGE


def idle_with_so_many_a_stage(p: int, r: int) -> Fraction:
    """GPipe run with r micro-batches a stage; idle time over the whole duration."""
    schedule = gpipe(p, sum(r for _ in range(p)))
    return Fraction(schedule.idle(0)) / schedule.makespan


IDLE_SHARE_PER_STAGE = derivation(
    "idle-share-per-stage",
    title="Bubble with `r` micro-batches for each stage, over total time",
    unit=ONE,
    letters={"p": STAGES, "r": MICROBATCHES_PER_STAGE},
    uses={"b_t": PIPELINE_BUBBLE_TOTAL.at(m="r*p")},
    source=GPIPE,
    oracle=idle_with_so_many_a_stage,
    convention="Bubble over total time; one chunk on each rank.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    b_r = b_t                        -- at `m = r*p` micro-batches
      = (p - 1)/(r*p + p - 1)        -- put the bubble in
      < 1/(r + 1)                    -- `r = 3`: below 1/4, however many stages
    """,
)
