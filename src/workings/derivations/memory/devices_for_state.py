"""How many devices hold the model state."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.memory.model_state import MODEL_STATE
from workings.derivations.sources import ZERO
from workings.simulate.placement import smallest_group
from workings.simulate.tensors import ffn_weights, total_bytes, training_state
from workings.units import ONE
from workings.vocabulary.kinds import ONE_COPY, WITHOUT_ATTENTION
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import GRADIENT_WIDTH, MASTER_WIDTH, MOMENT_WIDTH


def add_devices_until_it_fits(
    L: int, D: int, F: int, w_p: Fraction, w_g: Fraction, w_o: Fraction, M_max: Fraction
) -> int | None:
    """One device more at a time, until together they hold every tensor."""
    weights = ffn_weights(L, D, F, w_p)
    state = total_bytes(training_state(weights, w_g, w_o))
    return smallest_group(lambda devices: devices * M_max >= state, 20_000)


DEVICES_FOR_STATE = derivation(
    "devices-for-state",
    title="Devices needed to hold the model state of a feed-forward stack",
    unit=ONE,
    noun="devices",
    letters={
        "L": BLOCKS,
        "D": D_MODEL,
        "F": D_FF,
        "w_p": MASTER_WIDTH,
        "w_g": GRADIENT_WIDTH,
        "w_o": MOMENT_WIDTH,
        "M_max": DEVICE_MEMORY,
    },
    uses={"S": MODEL_STATE.at()},
    given=("S > 0 -- there is nothing to hold",),
    source=ZERO,
    oracle=add_devices_until_it_fits,
    leaves_out="Activations, gathered weights and everything else a device must hold.",
    holds_for={WITHOUT_ATTENTION: "devices-for-training-state", ONE_COPY: "devices-for-training-state"},
    chain="""
    n_S = ceil(S/M_max)      -- a device that is only partly needed is still a device
    """,
)
