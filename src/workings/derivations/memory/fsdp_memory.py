"""Memory of one device when states and half the activations are sharded."""

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.memory._letters import DEVICE_LETTERS
from workings.derivations.memory._placement import device_bytes
from workings.derivations.memory.model_state import MODEL_STATE
from workings.derivations.memory.saved_activations import SAVED_ACTIVATIONS
from workings.derivations.sources import ZERO
from workings.units import BYTE
from workings.vocabulary.kinds import ONE_COPY, WITHOUT_ATTENTION
from workings.vocabulary.layout import FSDP_DEGREE


def place_every_tensor(N: int, **letters: object) -> object:
    """A loop over all blocks places each tensor on each device, whole or in shards."""
    return device_bytes(N, **letters)  # type: ignore[arg-type]


FSDP_MEMORY = derivation(
    "fsdp-memory",
    title="Memory of one FSDP device, of a feed-forward stack",
    unit=BYTE,
    letters={"N": FSDP_DEGREE, **DEVICE_LETTERS},
    uses={"S": MODEL_STATE.at(), "A": SAVED_ACTIVATIONS.at()},
    given=("2 divides L",),
    source=ZERO,
    oracle=place_every_tensor,
    convention="The activations of every second block are sharded; the others stay whole.",
    leaves_out="The gathered weights of the block being computed, and gradients being reduced.",
    ledger=(
        Row("model state", "S", "weights, gradients and moments, all sharded", "N"),
        Row("activations, sharded half", "A/2", "every second block", "N"),
        Row("activations, whole half", "A/2", "the others"),
    ),
    holds_for={WITHOUT_ATTENTION: "fsdp-device-memory", ONE_COPY: "fsdp-device-memory"},
    chain="""
    M = rows                        -- add the rows
      = (S + A/2)/N + A/2           -- collect `1/N`
    """,
)
