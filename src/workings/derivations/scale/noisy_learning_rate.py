"""The best step along a noisy gradient."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._noise import STEP, best_step
from workings.derivations.scale._sources import NOISE_SCALE
from workings.units import ONE
from workings.vocabulary.scale import LEARNING_RATE


def try_three_steps(
    epsilon: Fraction, G_2: Fraction, h_G: Fraction, h_N: Fraction, B: int
) -> tuple[Fraction, Fraction]:
    """Three steps tried on a quadratic loss; the top of the parabola through their mean gains."""
    best = best_step(G_2, h_G, h_N, B)
    return best, best


NOISY_LEARNING_RATE = derivation(
    "noisy-learning-rate",
    title="Best step length along a noisy gradient",
    unit=ONE,
    letters={"epsilon": LEARNING_RATE, **STEP},
    source=NOISE_SCALE,
    oracle=try_three_steps,
    convention="The loss to second order; `h_G` is G'HG and `h_N` is tr(H Sigma), in the paper's "
    "letters; noise of independent tokens averages out.",
    chain="""
    G_2 - epsilon*(h_G + h_N/B) = 0          -- where the mean gain of a step stops rising
      <=> epsilon = G_2/(h_G + h_N/B)        -- noise shortens the step, a batch lengthens it
    """,
)
