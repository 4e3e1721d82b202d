"""A stack under FSDP."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.memory._letters import DEVICE_LETTERS
from workings.derivations.memory._placement import device_bytes, smallest_that_fits
from workings.derivations.memory.stack import MODEL_STATE, SAVED_ACTIVATIONS
from workings.derivations.sources import ZERO
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import ONE_COPY, WITHOUT_ATTENTION
from workings.vocabulary.layout import FSDP_DEGREE
from workings.vocabulary.memory import DEVICE_MEMORY


def place_every_tensor(N: int, **letters: object) -> object:
    """A loop over all blocks places each tensor on each device, whole or in shards."""
    return device_bytes(N, **letters)  # type: ignore[arg-type]


FSDP_MEMORY = derivation(
    "fsdp-memory",
    title="Memory of one FSDP device, of a feed-forward stack",
    phrases="per-device memory of MLP stack under FSDP; state share plus half-sharded activations",
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


def does_it_fit(N: int, M_max: Fraction, **letters: object) -> bool | None:
    """Every tensor placed on every one of N devices, and the fullest held against the limit."""
    if N > 128:
        return None
    return device_bytes(N, **letters) < M_max  # type: ignore[arg-type]


FSDP_FITS = derivation(
    "fsdp-fits",
    title="FSDP devices from which a device has room for its share of a feed-forward stack",
    phrases="FSDP device bound for MLP stack; N > (S + A/2)/(M - A/2)",
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


def try_group_sizes(M_max: Fraction, **letters: object) -> int | None:
    """Group sizes tried one against the next, every tensor placed on every device each time."""
    return smallest_that_fits(M_max, **letters)


FSDP_SMALLEST_N = derivation(
    "fsdp-smallest-n",
    title="Smallest number of FSDP devices for a feed-forward stack",
    phrases="minimum integer FSDP size for MLP stack; smallest N that fits FFN-only model",
    unit=ONE,
    noun="devices",
    letters={**DEVICE_LETTERS, "M_max": DEVICE_MEMORY},
    uses={"N_fit": FSDP_FITS.at()},
    source=ZERO,
    oracle=try_group_sizes,
    leaves_out="The gathered weights of the block being computed, and gradients being reduced.",
    holds_for={WITHOUT_ATTENTION: ""},
    chain="""
    N_min = floor(N_fit) + 1       -- the smallest whole number above `N_fit`
    """,
)
