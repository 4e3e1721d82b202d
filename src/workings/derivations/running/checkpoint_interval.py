"""The best interval between checkpoints."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import SPACED
from workings.derivations.running._search import best_interval
from workings.derivations.running._sources import CHECKPOINT_INTERVAL
from workings.derivations.running.checkpoint_least_lost import CHECKPOINT_LEAST_LOST
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.units import SECOND


def close_in_on_the_balance(
    n: int, M_d: Fraction, delta: Fraction, tau: Fraction
) -> tuple[Fraction, Fraction]:
    """A range of intervals halved until waiting a little longer neither helps nor harms."""
    return best_interval(n, M_d, delta)


CHECKPOINT_INTERVAL_BEST = derivation(
    "checkpoint-interval",
    title="Best interval between checkpoints (Young and Daly)",
    unit=SECOND,
    letters=SPACED,
    uses={"phi_best": CHECKPOINT_LEAST_LOST.at(), "M_job": JOB_MTBF.at()},
    given=("phi_best > 0",),
    source=CHECKPOINT_INTERVAL,
    oracle=close_in_on_the_balance,
    convention="First order: `delta` is short beside `tau`, and `tau` beside `M_job`. Restarting "
    "costs the same however often checkpoints are written.",
    chain="""
    delta/tau = phi_best/2                   -- writing costs as much as work done again: half each
      <=> tau = 2*delta/phi_best             -- solve for the interval
      <=> tau = sqrt(2*delta*M_job)          -- put the least share in, `sqrt(2*delta/M_job)`
    """,
)
