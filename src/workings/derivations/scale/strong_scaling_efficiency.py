"""Efficiency of a fixed batch on more and more devices."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import MEGATRON_WEAK
from workings.simulate.steps import train
from workings.units import ONE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import ONE_DEVICE_TIME, OVERHEAD_TIME


def share_a_step(n: int, T_1: Fraction, T_o: Fraction) -> Fraction:
    """One device's time over that of all devices together, each with its piece and the overhead."""
    piece = train(1, T_1, n, 1).seconds
    paid = sum(piece + T_o for _ in range(n))
    return T_1 / paid


STRONG_SCALING_EFFICIENCY = derivation(
    "strong-scaling-efficiency",
    title="Efficiency of strong scaling",
    unit=ONE,
    letters={"n": DEVICES, "T_1": ONE_DEVICE_TIME, "T_o": OVERHEAD_TIME},
    source=MEGATRON_WEAK,
    oracle=share_a_step,
    convention="The batch is fixed; the overhead (exposed communication, bubble, launches) does not "
    "shrink with more devices.",
    chain="""
    eta_s = T_1/(n*(T_1/n + T_o))            -- one device's time, over what all of them spend
      = 1/(1 + n*T_o/T_1)                    -- multiply out, divide by `T_1`
    """,
)
