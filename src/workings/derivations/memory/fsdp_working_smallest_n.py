"""The smallest whole number of FSDP devices with room to compute."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.memory._letters import DEVICE_LETTERS
from workings.derivations.memory._placement import smallest_that_fits
from workings.derivations.memory.fsdp_working_fits import FSDP_WORKING_FITS
from workings.derivations.sources import PYTORCH_FSDP
from workings.simulate.tensors import ffn_weights, total_bytes
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.training import GATHER_WIDTH, REDUCE_WIDTH


def try_group_sizes_with_room(
    M_max: Fraction, D: int, F: int, w: Fraction, g: Fraction, **letters: object
) -> int | None:
    """The working tensors are listed and set aside, then group sizes are tried in the rest."""
    working = total_bytes(ffn_weights(2, D, F, w)) + total_bytes(ffn_weights(1, D, F, g))
    return smallest_that_fits(M_max - working, D=D, F=F, **letters)


FSDP_WORKING_SMALLEST_N = derivation(
    "fsdp-working-smallest-n",
    title="Smallest number of FSDP devices with room to compute a feed-forward stack",
    unit=ONE,
    noun="devices",
    letters={
        **DEVICE_LETTERS,
        "w": GATHER_WIDTH,
        "g": REDUCE_WIDTH,
        "M_max": DEVICE_MEMORY,
    },
    uses={"N_room": FSDP_WORKING_FITS.at()},
    source=PYTORCH_FSDP,
    oracle=try_group_sizes_with_room,
    convention="As in fsdp-working-fits; strictly less than the memory of a device.",
    holds_for={WITHOUT_ATTENTION: ""},
    chain="""
    N_work = floor(N_room) + 1       -- the smallest whole number above `N_room`
    """,
)
