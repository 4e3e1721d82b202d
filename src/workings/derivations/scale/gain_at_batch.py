"""What a step gains with a batch."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._noise import STEP, best_gain
from workings.derivations.scale._sources import NOISE_SCALE
from workings.derivations.scale.gradient_noise_scale import GRADIENT_NOISE_SCALE
from workings.derivations.scale.noisy_learning_rate import NOISY_LEARNING_RATE
from workings.units import ONE


def take_the_best_step(G_2: Fraction, h_G: Fraction, h_N: Fraction, B: int) -> Fraction:
    """Mean fall of a quadratic loss over noise of either sign, at the top of a parabola of trials."""
    return best_gain(G_2, h_G, h_N, B)


GAIN_AT_BATCH = derivation(
    "gain-at-batch",
    title="What a step gains with a batch",
    unit=ONE,
    letters=STEP,
    uses={"epsilon": NOISY_LEARNING_RATE.at(), "B_noise": GRADIENT_NOISE_SCALE.at()},
    source=NOISE_SCALE,
    oracle=take_the_best_step,
    convention="The loss to second order, the step length chosen for the batch.",
    chain="""
    g_B = epsilon*G_2 - epsilon^2/2*(h_G + h_N/B)     -- slope times way, less curvature and noise
      = G_2^2/(2*(h_G + h_N/B))                       -- with the best step
      = G_2^2/(2*h_G)/(1 + B_noise/B)                 -- half of the most at `B = B_noise`
      < G_2^2/(2*h_G)                                 -- no batch gains more
    """,
)
