"""The share of the wall time whose work is kept."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import RESTARTED
from workings.derivations.running._sources import CHECKPOINT_INTERVAL
from workings.derivations.running.checkpoint_lost_share import CHECKPOINT_LOST_SHARE
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.simulate.failures import lost_share, mean_gap
from workings.units import ONE


def keep_what_is_not_lost(n: int, M_d: Fraction, delta: Fraction, tau: Fraction, R: Fraction) -> Fraction:
    """Failures struck in every part of an interval, each with its restart; what is left of the time."""
    return 1 - lost_share(tau, delta, mean_gap(n, M_d), R)


GOODPUT = derivation(
    "goodput",
    title="Goodput: share of the wall time whose work is kept",
    unit=ONE,
    letters=RESTARTED,
    uses={"phi": CHECKPOINT_LOST_SHARE.at(), "M_job": JOB_MTBF.at()},
    given=("phi + R/M_job < 1",),
    source=CHECKPOINT_INTERVAL,
    oracle=keep_what_is_not_lost,
    convention="First order: all losses are small shares of the time between failures. A restart "
    "runs from the failure to the first new step: detecting, replacing, loading.",
    leaves_out="Time that is lost within steps: that is MFU's.",
    chain="""
    gamma_run = 1 - phi - R/M_job            -- what checkpoints, lost work and restarts leave
      = 1 - delta/tau - (tau/2 + R)/M_job    -- put the lost share in
      <= 1 - phi                             -- restarts only lower it
    """,
)
