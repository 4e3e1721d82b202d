"""Daly's interval, two orders higher."""

from fractions import Fraction
from math import isqrt

from workings.derivation import derivation
from workings.derivations.running._letters import FAILING
from workings.derivations.running._sources import DALY
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.simulate.failures import interval_series, mean_gap
from workings.units import SECOND

_FINE = 10**30


def invert_the_condition(n: int, M_d: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """The condition of the least mean time, solved as a power series term by term, added up."""
    gap = mean_gap(n, M_d)
    square = delta / (2 * gap)
    root = Fraction(isqrt(int(square * _FINE**2)), _FINE)
    ends = []
    for x in (root, root + Fraction(1, _FINE)):
        terms = interval_series(3)
        ends.append(sum((c * x ** (k + 1) for k, c in enumerate(terms)), Fraction(0)) * gap - delta)
    return ends[0], ends[1]


DALY_INTERVAL = derivation(
    "daly-interval",
    title="Best time between checkpoints, two orders higher (Daly)",
    unit=SECOND,
    letters=FAILING,
    uses={"M_job": JOB_MTBF.at()},
    given=(
        "delta > 0 -- what costs nothing is best done without end, and no interval is best",
        "delta < 2*M_job",
    ),
    source=DALY,
    oracle=invert_the_condition,
    convention="Useful time from the end of a checkpoint to the start of the next. Failures may "
    "strike anywhere, checkpoints and restarts included; restarts do not change the interval.",
    leaves_out="Terms beyond the third: the exact condition has no closed form.",
    chain="""
    tau_D = M_job*(2*sqrt(delta/(2*M_job)) + 2/3*(delta/(2*M_job))
              + 2/9*(delta/(2*M_job))*sqrt(delta/(2*M_job))) - delta
                       -- a power series in the root of half the checkpoint's share of the MTBF
      = sqrt(2*delta*M_job)*(1 + 1/3*sqrt(delta/(2*M_job)) + 1/9*(delta/(2*M_job))) - delta
                       -- Young's interval taken out
      ≈ [M_d -> oo] sqrt(2*delta*M_job)      -- Young's interval, where failures are rare
    """,
)
