"""1F1B keeps as many micro-batches as stages follow."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import PIPELINE_EQ_5
from workings.simulate.peak import in_flight, one_f_one_b_order
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES


def run_1f1b(m: int, p: int, k: int) -> Fraction:
    """The schedule run task by task on all stages; the most micro-batches this stage holds at once."""
    return in_flight(one_f_one_b_order, p, m, k)


IN_FLIGHT_1F1B = derivation(
    "in-flight-1f1b",
    title="Micro-batches in flight on a stage under 1F1B",
    unit=ONE,
    noun="micro-batches",
    letters={"m": MICROBATCHES, "p": STAGES, "k": PP_INDEX},
    given=("k < p",),
    source=PIPELINE_EQ_5,
    oracle=run_1f1b,
    convention="Stages are counted from 0: the first holds the most.",
    chain="""
    n_f = min(m, (p - 1 - k) + 1)
                       -- a warm-up forward for each stage that follows, and one before the first backward
      = min(m, p - k)  -- then a backward gives one back before each forward
    """,
)
