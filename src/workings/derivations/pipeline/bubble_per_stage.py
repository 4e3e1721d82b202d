"""A rule of thumb for micro-batches, and the bubble it leaves over ideal time."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import MEGATRON_GPIPE
from workings.derivations.pipeline.pipeline_bubble import PIPELINE_BUBBLE
from workings.simulate.pipeline import one_f_one_b
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.pipeline import MICROBATCHES_PER_STAGE


def give_each_stage_so_many(p: int, r: int) -> Fraction:
    """1F1B run with r micro-batches a stage; idle time over busy time."""
    schedule = one_f_one_b(p, sum(r for _ in range(p)))
    return Fraction(schedule.idle(0)) / schedule.busy(0)


BUBBLE_PER_STAGE = derivation(
    "bubble-per-stage",
    title="Bubble with `r` micro-batches for each stage, over ideal time",
    unit=ONE,
    letters={"p": STAGES, "r": MICROBATCHES_PER_STAGE},
    uses={"beta": PIPELINE_BUBBLE.at(m="r*p")},
    source=MEGATRON_GPIPE,
    oracle=give_each_stage_so_many,
    convention="Bubble over ideal time; one chunk on each rank.",
    leaves_out="Sending activations between stages; stages that are not equally long.",
    chain="""
    beta_r = beta                 -- at `m = r*p` micro-batches
      = (p - 1)/(r*p)             -- put the bubble in
      = (1 - 1/p)/r               -- divide by `p`
      < 1/r                       -- 4 to 8 micro-batches a stage: below 1/4 to 1/8
    """,
)
