"""The smallest ZeRO-3 group."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.state._recipe import LETTERS as RECIPE
from workings.derivations.state._sources import ZERO_STAGES
from workings.derivations.state.training_state import TRAINING_STATE
from workings.derivations.state.zero_3_fits import lay_and_compare
from workings.units import ONE
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.state import HELD_3


def add_devices(M_max: Any, **letters: Any) -> int | None:
    """Devices added one at a time until a device's share of all values fits its memory."""
    for devices in range(1, 41):
        if lay_and_compare(devices, M_max, **letters):
            return devices
    return None


ZERO_3_SMALLEST_GROUP = derivation(
    "zero-3-smallest-group",
    title="Smallest group that holds model state under ZeRO stage 3",
    unit=ONE,
    noun="devices",
    letters={**RECIPE, "P": HELD_3, "M_max": DEVICE_MEMORY},
    uses={"S_any": TRAINING_STATE.at()},
    given=("S_any > 0 -- there is nothing to hold",),
    source=ZERO_STAGES,
    oracle=add_devices,
    convention="The bound at which ZeRO stage 3 fits, rounded up to a whole number.",
    leaves_out="Activations, gathered weights and other buffers: `M_max` is what they leave.",
    chain="""
    N_min = ceil(S_any/M_max)            -- the smallest whole `N` that is at least `S_any/M_max`
    """,
)
