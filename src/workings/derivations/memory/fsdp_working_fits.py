"""FSDP devices needed once the block being computed is counted too."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.memory._letters import DEVICE_LETTERS
from workings.derivations.memory._placement import device_bytes
from workings.derivations.memory.fsdp_working_set import FSDP_WORKING_SET
from workings.derivations.memory.model_state import MODEL_STATE
from workings.derivations.memory.saved_activations import SAVED_ACTIVATIONS
from workings.derivations.sources import PYTORCH_FSDP
from workings.simulate.tensors import ffn_weights, total_bytes
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.layout import FSDP_DEGREE
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.training import GATHER_WIDTH, REDUCE_WIDTH


def does_it_fit_while_computing(
    N: int, D: int, F: int, M_max: Fraction, w: Fraction, g: Fraction, **letters: object
) -> bool | None:
    """Every tensor placed on every device, then two gathered blocks and one gradient on top."""
    if N > 128:
        return None
    working = total_bytes(ffn_weights(2, D, F, w)) + total_bytes(ffn_weights(1, D, F, g))
    return device_bytes(N, D=D, F=F, **letters) + working < M_max  # type: ignore[arg-type]


FSDP_WORKING_FITS = derivation(
    "fsdp-working-fits",
    title="FSDP devices from which a device has room to compute a feed-forward stack",
    unit=ONE,
    noun="devices",
    letters={
        "N": FSDP_DEGREE,
        **DEVICE_LETTERS,
        "w": GATHER_WIDTH,
        "g": REDUCE_WIDTH,
        "M_max": DEVICE_MEMORY,
    },
    uses={"S": MODEL_STATE.at(), "A": SAVED_ACTIVATIONS.at(), "G": FSDP_WORKING_SET.at()},
    given=(
        "2 divides L",
        "M_max > A/2 + G -- half of the activations and the working set stay with each device, so that "
        "no number of them fits",
    ),
    source=PYTORCH_FSDP,
    oracle=does_it_fit_while_computing,
    convention="As in fsdp-fits, with the gathered weights and one gradient set aside.",
    holds_for={WITHOUT_ATTENTION: ""},
    chain="""
    (S + A/2)/N + A/2 + G < M_max              -- the share, and the block being computed
      <=> (S + A/2)/N < M_max - A/2 - G        -- neither depends on `N`
      <=> N > (S + A/2)/(M_max - A/2 - G)      -- multiply by `N`, divide by the room left
    """,
)
