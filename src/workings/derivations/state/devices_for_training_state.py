"""How many devices hold the model state, whatever the model."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.sources import ZERO
from workings.derivations.state._recipe import LETTERS as RECIPE
from workings.derivations.state._recipe import values
from workings.derivations.state.training_state import TRAINING_STATE
from workings.simulate.placement import smallest_group
from workings.simulate.stored_state import total
from workings.units import ONE
from workings.vocabulary.memory import DEVICE_MEMORY


def add_devices_until_all_fits(M_max: Any, **letters: Any) -> int | None:
    """Every number kept for every parameter; one device more at a time until together they hold all."""
    state = total(values(**letters))
    if not state:
        return 0  # nothing is kept, so no device is needed
    return smallest_group(lambda devices: devices * M_max >= state, 20_000)


DEVICES_FOR_TRAINING_STATE = derivation(
    "devices-for-training-state",
    title="Devices needed to hold the model state, for any model and precision recipe",
    unit=ONE,
    noun="devices",
    letters={**RECIPE, "M_max": DEVICE_MEMORY},
    uses={"S_any": TRAINING_STATE.at()},
    source=ZERO,
    oracle=add_devices_until_all_fits,
    leaves_out="Activations, gathered weights and everything else a device must hold.",
    chain="""
    n_any = ceil(S_any/M_max)      -- a device that is only partly needed is still a device
    """,
)
