"""How many devices a fixed batch keeps efficient."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import MEGATRON_WEAK
from workings.derivations.scale.strong_scaling_efficiency import (
    STRONG_SCALING_EFFICIENCY,
    share_a_step,
)
from workings.units import ONE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import EFFICIENCY, ONE_DEVICE_TIME, OVERHEAD_TIME


def compare_with_target(n: int, T_1: Fraction, T_o: Fraction, eta: Fraction) -> bool | None:
    """Whether a step shared by that many devices still reaches the efficiency."""
    return share_a_step(n, T_1, T_o) >= eta if n < 500 else None


DEVICES_AT_EFFICIENCY = derivation(
    "devices-at-efficiency",
    title="Devices up to which a fixed batch stays efficient",
    unit=ONE,
    noun="devices",
    letters={"n": DEVICES, "T_1": ONE_DEVICE_TIME, "T_o": OVERHEAD_TIME, "eta": EFFICIENCY},
    uses={"eta_s": STRONG_SCALING_EFFICIENCY.at()},
    given=("T_o > 0 -- without overhead every number of devices keeps the efficiency",),
    source=MEGATRON_WEAK,
    oracle=compare_with_target,
    convention="The batch is fixed; the overhead does not shrink with more devices.",
    chain="""
    eta_s >= eta                             -- still as efficient as wanted
      <=> 1/(1 + n*T_o/T_1) >= eta           -- put the efficiency in
      <=> n <= (1/eta - 1)*T_1/T_o           -- half efficient where overhead equals a device's share
    """,
)
