"""The MTBF of a device from the interruptions of a job."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.running._sources import LLAMA_3_RELIABILITY
from workings.units import SECOND
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.running import INTERRUPTIONS, OBSERVED_TIME


def share_out_the_device_time(n: int, T_obs: Fraction, N_f: int) -> Fraction:
    """The time of every device added up, dealt out over the interruptions."""
    device_time = sum((T_obs for _ in range(n)), Fraction(0))
    return device_time / sum(1 for _ in range(N_f))


DEVICE_MTBF = derivation(
    "device-mtbf",
    title="MTBF of a device that a job's interruptions imply",
    unit=SECOND,
    letters={"n": DEVICES, "T_obs": OBSERVED_TIME, "N_f": INTERRUPTIONS},
    source=LLAMA_3_RELIABILITY,
    oracle=share_out_the_device_time,
    convention="A device with its share of node, network and software: every interruption counts.",
    chain="""
    M_seen = sum(T_obs, (i, 1, n))/N_f       -- device time, an interruption
      = n*T_obs/N_f                          -- equal times
    """,
)
