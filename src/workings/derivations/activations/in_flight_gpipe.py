"""GPipe keeps every micro-batch of the step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import GPIPE
from workings.simulate.peak import gpipe_order, in_flight
from workings.units import ONE
from workings.vocabulary.layout import STAGES
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES


def run_gpipe(m: int, p: int, k: int) -> Fraction:
    """The schedule run task by task; the most micro-batches the stage holds at once."""
    return in_flight(gpipe_order, p, m, k)


IN_FLIGHT_GPIPE = derivation(
    "in-flight-gpipe",
    title="Micro-batches in flight under GPipe",
    unit=ONE,
    noun="micro-batches",
    letters={"m": MICROBATCHES, "p": STAGES, "k": PP_INDEX},
    given=("k < p",),
    source=GPIPE,
    oracle=run_gpipe,
    convention="The same on every stage, the first and the last.",
    chain="""
    n_g = sum(1, (i, 1, m))       -- all forwards of a stage come before its first backward
      = m                         -- so none of the micro-batches has been given back
    """,
)
