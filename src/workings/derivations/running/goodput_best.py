"""Goodput with the best interval."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._letters import FAILING
from workings.derivations.running._search import least_lost
from workings.derivations.running._sources import CHECKPOINT_INTERVAL
from workings.derivations.running.checkpoint_least_lost import CHECKPOINT_LEAST_LOST
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.units import ONE
from workings.vocabulary.running import RESTART_TIME


def search_for_the_most(n: int, M_d: Fraction, delta: Fraction, R: Fraction) -> tuple[Fraction, Fraction]:
    """A search over intervals for the least loss, restarts counted; what is left of the time."""
    low, high = least_lost(n, M_d, delta, R)
    return 1 - high, 1 - low


GOODPUT_BEST = derivation(
    "goodput-best",
    title="Goodput with the best interval between checkpoints",
    unit=ONE,
    letters={**FAILING, "R": RESTART_TIME},
    uses={"phi_best": CHECKPOINT_LEAST_LOST.at(), "M_job": JOB_MTBF.at()},
    given=(
        "delta > 0 -- what costs nothing is best done without end, and no interval is best",
        "phi_best + R/M_job < 1 -- failures cost all of the time, and the run never ends",
    ),
    source=CHECKPOINT_INTERVAL,
    oracle=search_for_the_most,
    convention="First order: all losses are small shares of the time between failures.",
    leaves_out="Time that is lost within steps: that is MFU's.",
    chain="""
    gamma_best = 1 - phi_best - R/M_job      -- restarts do not depend on the interval
      = 1 - sqrt(2*delta*n/M_d) - R*n/M_d    -- falls with the root of the devices, then faster
    """,
)
