"""The gradient noise scale."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._noise import best_gain
from workings.derivations.scale._sources import NOISE_SCALE
from workings.units import ONE
from workings.vocabulary.scale import CURVATURE, NOISE


def search_for_half_the_gain(h_G: Fraction, h_N: Fraction) -> tuple[Fraction, Fraction]:
    """A range of batches halved until the best step gains half of what it would without noise."""
    without = best_gain(Fraction(1), h_G, Fraction(0), 1)
    low, high = Fraction(1, 10**9), Fraction(10**12)
    while high - low > low / 10**8:
        middle = (low + high) / 2
        enough = best_gain(Fraction(1), h_G, h_N, middle) >= without / 2
        low, high = (low, middle) if enough else (middle, high)
    return low, high


GRADIENT_NOISE_SCALE = derivation(
    "gradient-noise-scale",
    title="Gradient noise scale",
    unit=ONE,
    noun="tokens",
    fractional="a ratio of two measured figures, in tokens",
    letters={"h_G": CURVATURE, "h_N": NOISE},
    source=NOISE_SCALE,
    oracle=search_for_half_the_gain,
    convention="The batch at which a step gains half of what it would without noise. Where the "
    "curvature is the same in all directions it is the gradient's variance over its squared length.",
    chain="""
    B_noise = h_N/h_G                        -- noise of one token, over what the true gradient does
    """,
)
