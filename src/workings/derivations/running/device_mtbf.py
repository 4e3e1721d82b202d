"""The MTBF of a device from the interruptions of a job."""

from fractions import Fraction
from itertools import pairwise

from workings.derivation import derivation
from workings.derivations.running._sources import LLAMA_3_RELIABILITY
from workings.units import SECOND
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.running import INTERRUPTIONS, OBSERVED_TIME


def measure_the_gaps(n: int, T_obs: Fraction, N_f: int) -> Fraction:
    """Interruptions struck at uneven moments of all devices' lives, laid end to end; the mean gap."""
    lives = [(device * T_obs, (device + 1) * T_obs) for device in range(n)]
    (begin, _), (_, end) = lives[0], lives[-1]
    struck = [begin + (end - begin) * Fraction(k * k, N_f * N_f) for k in range(1, N_f + 1)]
    gaps = [later - earlier for earlier, later in pairwise([begin, *struck])]
    return sum(gaps, Fraction(0)) / len(gaps)


DEVICE_MTBF = derivation(
    "device-mtbf",
    title="MTBF of a device that a job's interruptions imply",
    unit=SECOND,
    letters={"n": DEVICES, "T_obs": OBSERVED_TIME, "N_f": INTERRUPTIONS},
    source=LLAMA_3_RELIABILITY,
    oracle=measure_the_gaps,
    convention="A device with its share of node, network and software: every interruption counts.",
    chain="""
    M_seen = sum(T_obs, (i, 1, n))/N_f       -- device time, an interruption
      = n*T_obs/N_f                          -- equal times
    """,
)
