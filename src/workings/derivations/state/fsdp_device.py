"""An FSDP device."""

from fractions import Fraction
from typing import Any

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.sources import ZERO
from workings.derivations.state._recipe import LETTERS, values
from workings.derivations.state.recipes import TRAINING_STATE
from workings.simulate.placement import place_fsdp
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCKS
from workings.vocabulary.layout import FSDP_DEGREE


def deal_out_the_state(N: int, A_L: Fraction, **letters: Any) -> Fraction:
    """Every tensor of the state dealt to the devices, every block's activations kept on each."""
    state = [value.bytes for value in values(**letters)]
    return max(place_fsdp(state, [], N)) + A_L


FSDP_DEVICE_MEMORY = derivation(
    "fsdp-device-memory",
    title="Memory of one FSDP device: its share of the state, and what all blocks save",
    phrases="FSDP GPU memory state plus activations any model; S/N + A",
    unit=BYTE,
    letters={**LETTERS, "N": FSDP_DEGREE, "A_L": KEPT_BY_BLOCKS},
    uses={"S_any": TRAINING_STATE.at()},
    source=ZERO,
    oracle=deal_out_the_state,
    convention="FSDP alone divides the state; one micro-batch's activations stay whole.",
    leaves_out="The gathered weights of the block being computed, and gradients being reduced.",
    ledger=(
        Row("model state", "S_any", "weights, gradients and moments, all sharded", split="N"),
        Row("activations", "A_L", "of every block"),
    ),
    chain="""
    M_dev = rows                    -- add the rows
      = S_any/N + A_L               -- the state shared, the activations whole
    """,
)
