"""The single-device MFU that an MFU and an efficiency imply."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import MEGATRON_WEAK
from workings.units import ONE
from workings.vocabulary.scale import DEVICE_MFU, EFFICIENCY, MFU


def halve_until_it_fits(u_1: Fraction, eta: Fraction, u: Fraction) -> tuple[Fraction, Fraction]:
    """A range of single-device MFU halved until the group's MFU lies between its ends."""
    low, high = Fraction(1, 10**9), Fraction(10**9)
    while high - low > low / 10**8:
        middle = (low + high) / 2
        low, high = (middle, high) if middle * eta < u else (low, middle)
    return low, high


DEVICE_MFU_NEEDED = derivation(
    "device-mfu-needed",
    title="Single-device MFU that an MFU and an efficiency need",
    unit=ONE,
    letters={"u_1": DEVICE_MFU, "eta": EFFICIENCY, "u": MFU},
    source=MEGATRON_WEAK,
    oracle=halve_until_it_fits,
    convention="Efficiency against a device that never waits. A result above 1 says that the two "
    "figures cannot both be true of one baseline.",
    chain="""
    eta*u_1 = u                              -- MFU is efficiency times that of a device alone
      <=> u_1 = u/eta                        -- divide by `eta`
    """,
)
