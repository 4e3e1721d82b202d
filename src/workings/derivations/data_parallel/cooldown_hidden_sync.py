"""Gradient synchronisation inside a pipeline's cooldown."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import MEGATRON_PIPELINE
from workings.simulate.pipeline import one_f_one_b
from workings.units import SECOND
from workings.vocabulary.data_parallel import STAGE_BACKWARD, STAGE_SYNC
from workings.vocabulary.layout import STAGES
from workings.vocabulary.training import MICROBATCHES


def wait_for_the_first_stage(p: int, m: int, T_p: Fraction, T_s: Fraction) -> Fraction:
    """1F1B run task by task; how long each stage's sync runs before the whole pipeline is done."""
    if T_p == 0:
        return Fraction(0)  # no schedule has tasks without a length
    schedule = one_f_one_b(p, m, T_p / 2, T_p)
    hidden = Fraction(0)
    for stage in range(p):
        last = max(task.end for task in schedule.tasks if task.rank == stage)
        hidden += min(schedule.makespan - last, T_s)
    return hidden / p


COOLDOWN_HIDDEN_SYNC = derivation(
    "cooldown-hidden-sync",
    title="Gradient synchronisation that hides in a pipeline's cooldown",
    unit=SECOND,
    letters={"p": STAGES, "m": MICROBATCHES, "T_p": STAGE_BACKWARD, "T_s": STAGE_SYNC},
    given=("T_s >= (p - 1)*T_p",),
    source=MEGATRON_PIPELINE,
    oracle=wait_for_the_first_stage,
    convention="Mean over the stages; each synchronises after its last backward, all step together.",
    leaves_out="Overlap with a stage's own last backward; the first stage hides nothing in the cooldown.",
    chain="""
    H_cool = sum((i - 1)*T_p, (i, 1, p))/p     -- stage `i` is done `i - 1` backwards before the first
      = p*(p - 1)/2*T_p/p                      -- the whole numbers below `p` added up
      = (p - 1)/2*T_p                          -- half the cooldown
      <= T_s/2                                 -- as `T_s` is no less than the whole: at best half of it
    """,
)
