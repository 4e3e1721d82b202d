"""Steps along a noisy gradient on a loss that is quadratic along it, and the best of them."""

from __future__ import annotations

from fractions import Fraction

from workings.vocabulary.scale import CURVATURE, GRADIENT, NOISE
from workings.vocabulary.training import TOKENS

STEP = {"G_2": GRADIENT, "h_G": CURVATURE, "h_N": NOISE, "B": TOKENS}


def mean_gain(
    length: Fraction, G_2: Fraction, h_G: Fraction, h_N: Fraction, B: Fraction | int
) -> Fraction:
    """What the loss falls on average over steps along gradients that are off either way.

    The estimate is the true gradient plus noise of one sign or the other, whose mean square falls
    with the tokens it is averaged over; the loss is its slope times the way, less curvature.
    """
    gains = [length * G_2 - length**2 * (h_G + sign * sign * h_N / B) / 2 for sign in (1, -1)]
    return sum(gains, Fraction(0)) / len(gains)


def best_step(G_2: Fraction, h_G: Fraction, h_N: Fraction, B: Fraction | int) -> Fraction:
    """The step length with the largest mean gain: the top of a parabola through three trials."""
    at = [mean_gain(Fraction(length), G_2, h_G, h_N, B) for length in (0, 1, 2)]
    bend = at[2] - 2 * at[1] + at[0]
    rise = at[1] - at[0] - bend / 2
    return -rise / bend


def best_gain(G_2: Fraction, h_G: Fraction, h_N: Fraction, B: Fraction | int) -> Fraction:
    """The largest mean gain of a step."""
    return mean_gain(best_step(G_2, h_G, h_N, B), G_2, h_G, h_N, B)
