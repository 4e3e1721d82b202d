"""Mean time between failures of a job."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._sources import LLAMA_3_RELIABILITY
from workings.simulate.failures import first_failure
from workings.units import SECOND
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.running import MTBF


def wait_for_the_first(n: int, M_d: Fraction) -> tuple[Fraction, Fraction]:
    """Devices without memory that may fail in each tick of a fine grid; mean time to the first."""
    return first_failure(n, M_d)


JOB_MTBF = derivation(
    "job-mtbf",
    title="Mean time between failures of a job",
    unit=SECOND,
    letters={"n": DEVICES, "M_d": MTBF},
    source=LLAMA_3_RELIABILITY,
    oracle=wait_for_the_first,
    convention="Failures are independent and come at a constant rate; any of them stops the job.",
    leaves_out="Failures that several devices share: a switch, a power supply, a bug.",
    chain="""
    M_job = 1/sum(1/M_d, (i, 1, n))          -- rates of failure add up
      = 1/(n/M_d)                            -- equal devices
      = M_d/n                                -- ten times the devices, ten times as often
    """,
)
