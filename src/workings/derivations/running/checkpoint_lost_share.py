"""The share of the time that checkpoints and failures take."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import SPACED
from workings.derivations.running._sources import CHECKPOINT_INTERVAL
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.simulate.failures import lost_share, mean_gap
from workings.units import ONE


def strike_every_part(n: int, M_d: Fraction, delta: Fraction, tau: Fraction) -> Fraction:
    """A failure in each part of an interval in turn; work lost and checkpoints written, over the time."""
    return lost_share(tau, delta, mean_gap(n, M_d))


CHECKPOINT_LOST_SHARE = derivation(
    "checkpoint-lost-share",
    title="Share of the time lost to checkpoints and to work done again",
    unit=ONE,
    letters=SPACED,
    uses={"M_job": JOB_MTBF.at()},
    source=CHECKPOINT_INTERVAL,
    oracle=strike_every_part,
    convention="First order: `delta` is short beside `tau`, and `tau` beside `M_job`, so that at most "
    "one failure strikes an interval, anywhere in it alike.",
    leaves_out="Restarting; failures while a checkpoint is written or read.",
    chain="""
    phi = delta/tau + (tau/2)/M_job          -- a checkpoint an interval; half an interval a failure
      = delta/tau + n*tau/(2*M_d)            -- put the job's MTBF in
    """,
)
