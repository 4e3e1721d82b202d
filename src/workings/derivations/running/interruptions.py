"""Interruptions to expect."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._sources import LLAMA_3_RELIABILITY
from workings.derivations.running.job_mtbf import JOB_MTBF
from workings.simulate.failures import mean_gap
from workings.units import ONE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.running import MTBF, OBSERVED_TIME


def count_on_a_time_line(n: int, M_d: Fraction, T_obs: Fraction) -> Fraction:
    """Every device's failures laid out on one time line and counted; how many fit into the time."""
    return T_obs / mean_gap(n, M_d)


INTERRUPTIONS = derivation(
    "interruptions",
    title="Interruptions to expect in a time",
    unit=ONE,
    noun="interruptions",
    fractional="the expected number",
    letters={"n": DEVICES, "M_d": MTBF, "T_obs": OBSERVED_TIME},
    uses={"M_job": JOB_MTBF.at()},
    source=LLAMA_3_RELIABILITY,
    oracle=count_on_a_time_line,
    convention="The mean; failures independent, at a constant rate.",
    chain="""
    N_int = T_obs/M_job                      -- one every mean time between failures
      = n*T_obs/M_d                          -- device time over what a device lasts
    """,
)
