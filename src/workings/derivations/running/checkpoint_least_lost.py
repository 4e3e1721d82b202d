"""The least that checkpoints and failures take."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import SPACED
from workings.derivations.running._search import least_lost
from workings.derivations.running._sources import CHECKPOINT_INTERVAL
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.units import ONE


def search_every_interval(
    n: int, M_d: Fraction, delta: Fraction, tau: Fraction
) -> tuple[Fraction, Fraction]:
    """A search over intervals; for each, failures struck in every part of it and losses added up."""
    return least_lost(n, M_d, delta)


CHECKPOINT_LEAST_LOST = derivation(
    "checkpoint-least-lost",
    title="Least share of the time lost to checkpoints and to work done again",
    unit=ONE,
    letters=SPACED,
    uses={"M_job": JOB_MTBF.at()},
    given=("delta > 0 -- what costs nothing is best done without end, and no interval is best",),
    source=CHECKPOINT_INTERVAL,
    oracle=search_every_interval,
    convention="First order: `delta` is short beside `tau`, and `tau` beside `M_job`.",
    leaves_out="Restarting; failures while a checkpoint is written or read.",
    chain="""
    phi_best = delta/tau + tau/(2*M_job)     -- one term falls with the interval, the other rises
      minimise over tau at sqrt(2*delta*M_job) = sqrt(2*delta/M_job)
                                             -- least where both are equal
    """,
)
