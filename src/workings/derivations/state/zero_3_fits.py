"""When a ZeRO-3 group is large enough."""

from typing import Any

from workings.derivation import derivation
from workings.derivations.state._recipe import LETTERS as RECIPE
from workings.derivations.state._recipe import values
from workings.derivations.state._sources import ZERO_STAGES
from workings.derivations.state.training_state import TRAINING_STATE
from workings.simulate.stored_state import mean, place
from workings.units import ONE
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.state import HELD_3, STATE_RANKS_3


def lay_and_compare(N: int, M_max: Any, **letters: Any) -> bool:
    """Every value dealt to one device of the group; the mean of all devices against the memory."""
    kinds = ("master", "gradient", "first moment", "second moment", "working")
    return bool(mean(place(values(**letters), N, kinds)) <= M_max)


ZERO_3_FITS = derivation(
    "zero-3-fits",
    title="Devices from which model state fits under ZeRO stage 3",
    unit=ONE,
    noun="devices",
    letters={**RECIPE, "P": HELD_3, "N": STATE_RANKS_3, "M_max": DEVICE_MEMORY},
    uses={"S_any": TRAINING_STATE.at()},
    source=ZERO_STAGES,
    oracle=lay_and_compare,
    leaves_out="Activations, gathered weights and other buffers: `M_max` is what they leave.",
    chain="""
    S_any/N <= M_max                     -- a device's share must fit its memory
      <=> S_any <= N*M_max               -- the memories of all devices together
      <=> N >= S_any/M_max               -- solve for the devices
    """,
)
