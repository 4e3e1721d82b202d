"""From how many FSDP devices one device's share fits its memory."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.memory._letters import DEVICE_LETTERS
from workings.derivations.memory._placement import device_bytes
from workings.derivations.memory.model_state import MODEL_STATE
from workings.derivations.memory.saved_activations import SAVED_ACTIVATIONS
from workings.derivations.sources import ZERO
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.layout import FSDP_DEGREE
from workings.vocabulary.memory import DEVICE_MEMORY


def does_it_fit(N: int, M_max: Fraction, **letters: object) -> bool | None:
    """Every tensor placed on every one of N devices, and the fullest held against the limit."""
    if N > 128:
        return None
    return device_bytes(N, **letters) < M_max  # type: ignore[arg-type]


FSDP_FITS = derivation(
    "fsdp-fits",
    title="FSDP devices from which a device has room for its share of a feed-forward stack",
    unit=ONE,
    noun="devices",
    letters={"N": FSDP_DEGREE, **DEVICE_LETTERS, "M_max": DEVICE_MEMORY},
    uses={"S": MODEL_STATE.at(), "A": SAVED_ACTIVATIONS.at()},
    given=(
        "2 divides L",
        "M_max > A/2 -- half of the activations stay with each device, so that no number of them fits",
    ),
    source=ZERO,
    oracle=does_it_fit,
    leaves_out="The gathered weights of the block being computed, and gradients being reduced.",
    holds_for={WITHOUT_ATTENTION: ""},
    chain="""
    (S + A/2)/N + A/2 < M_max                  -- one device's share stays below its memory
      <=> (S + A/2)/N < M_max - A/2            -- the whole half stays, whatever `N` is
      <=> S + A/2 < N*(M_max - A/2)            -- multiply by `N`
      <=> N > (S + A/2)/(M_max - A/2)          -- divide by `M_max - A/2`, which is positive
    """,
)
