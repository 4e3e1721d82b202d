"""The smallest whole number of FSDP devices."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.memory._letters import DEVICE_LETTERS
from workings.derivations.memory._placement import smallest_that_fits
from workings.derivations.memory.fsdp_fits import FSDP_FITS
from workings.derivations.sources import ZERO
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.memory import DEVICE_MEMORY


def try_group_sizes(M_max: Fraction, **letters: object) -> int | None:
    """Group sizes tried one against the next, every tensor placed on every device each time."""
    return smallest_that_fits(M_max, **letters)


FSDP_SMALLEST_N = derivation(
    "fsdp-smallest-n",
    title="Smallest number of FSDP devices for a feed-forward stack",
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
