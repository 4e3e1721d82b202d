"""Batches and noise.

A gradient averaged over a batch is the true one plus noise, and the noise falls with the batch. Of a
loss taken to second order this gives the noise scale, the best step along a noisy gradient, and what
such a step gains: half of the most where the batch equals the noise scale. Squared gradients of two
batches, which data-parallel ranks have anyway, are enough to measure it. A whole run then trades
steps for tokens: small batches need few tokens in many steps, large ones few steps and many tokens, on
a hyperbola around the critical batch.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from workings.derivation import Source, derivation, like
from workings.derivations.sources import KAPLAN
from workings.simulate.search import halve
from workings.units import ONE
from workings.vocabulary.scale import (
    CURVATURE,
    GRADIENT,
    LARGE_BATCH,
    LARGE_BATCH_SQUARE,
    LEARNING_RATE,
    LEAST_STEPS,
    NOISE,
    SMALL_BATCH,
    SMALL_BATCH_SQUARE,
)
from workings.vocabulary.scale import NOISE_SCALE as SCALE_NOISE_SCALE
from workings.vocabulary.training import TOKENS

NOISE_SCALE = Source(
    "McCandlish et al.",
    "An Empirical Model of Large-Batch Training",
    2018,
    "section 2.2",
    "https://arxiv.org/abs/1812.06162",
)


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


def search_for_half_the_gain(h_G: Fraction, h_N: Fraction) -> tuple[Fraction, Fraction]:
    """A range of batches halved until the best step gains half of what it would without noise."""
    without = best_gain(Fraction(1), h_G, Fraction(0), 1)
    return halve(lambda B: best_gain(Fraction(1), h_G, h_N, B) >= without / 2, high=10**12)


GRADIENT_NOISE_SCALE = derivation(
    "gradient-noise-scale",
    title="Gradient noise scale",
    phrases="critical batch size; B_noise; B_simple; McCandlish; how large a batch is still useful; "
    "trace of covariance over gradient norm squared; when does bigger batch stop helping; B_crit from "
    "gradients; An Empirical Model of Large-Batch Training",
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


STEP = {"G_2": GRADIENT, "h_G": CURVATURE, "h_N": NOISE, "B": TOKENS}


def try_three_steps(epsilon: Fraction, **loss: Any) -> tuple[Fraction, Fraction]:
    """Three steps tried on a quadratic loss; the top of the parabola through their mean gains."""
    best = best_step(**loss)
    return best, best


NOISY_LEARNING_RATE = derivation(
    "noisy-learning-rate",
    title="Best step length along a noisy gradient",
    phrases="optimal learning rate versus batch; ε_opt; step size with noise; epsilon max over 1 plus "
    "B_noise/B; how should lr scale with batch size; eps_opt McCandlish",
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


def take_the_best_step(G_2: Fraction, h_G: Fraction, h_N: Fraction, B: int) -> Fraction:
    """Mean fall of a quadratic loss over noise of either sign, at the top of a parabola of trials."""
    return best_gain(G_2, h_G, h_N, B)


GAIN_AT_BATCH = derivation(
    "gain-at-batch",
    title="What a step gains with a batch",
    phrases="loss improvement per step versus batch; 1/(1 + B_noise/B); diminishing returns of larger "
    "batches; progress per update with batch size; how much does one step help at batch B; ΔL_opt(B) = "
    "ΔL_max/(1+B_noise/B)",
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


TWO_BATCHES = {
    "B_1": SMALL_BATCH, "B_2": LARGE_BATCH, "g_1": SMALL_BATCH_SQUARE, "g_2": LARGE_BATCH_SQUARE,
}  # fmt: skip
TWO_ESTIMATES = NOISE_SCALE.at("appendix A.1, equations A.2 and A.3")
LARGER = "B_2 > B_1"


@cache
def noise_left(tokens: int) -> Fraction:
    """Mean square of a batch's noise: every token's off by one either way, all patterns gone through."""
    squares = [sum(signs) ** 2 for signs in product((-1, 1), repeat=tokens)]
    return Fraction(sum(squares), len(squares) * tokens**2)


def explain_both(B_1: int, B_2: int, g_1: Fraction, g_2: Fraction) -> tuple[Fraction, Fraction]:
    """The squared gradient and one token's noise whose batches have the squares that were measured."""
    first, second = noise_left(B_1), noise_left(B_2)
    noise = (g_1 - g_2) / (first - second)
    return g_1 - noise * first, noise


def squared_gradient_behind(**measured: Any) -> Fraction:
    """Noise patterns of both batches gone through; the squared gradient that explains both squares."""
    return explain_both(**measured)[0]


GRADIENT_FROM_TWO_BATCHES = derivation(
    "gradient-from-two-batches",
    title="Squared length of the true gradient, from two batches",
    phrases="unbiased estimate of |G|^2; gradient norm without noise from B_small and B_big; McCandlish "
    "appendix A.1 estimator; (B_big |G_big|^2 - B_small |G_small|^2)/(B_big - B_small); true gradient "
    "norm squared from data-parallel gradients; denoised gradient norm",
    unit=ONE,
    letters=TWO_BATCHES,
    given=(LARGER,),
    source=TWO_ESTIMATES,
    oracle=squared_gradient_behind,
    convention="Means over many steps: a single estimate may even be negative. The gradients of the "
    "data-parallel ranks are the smaller batch, their mean is the larger.",
    chain="""
    G_est = (B_2*g_2 - B_1*g_1)/(B_2 - B_1)     -- each square is `G_2 + h/B`: `h` drops out
    """,
)


def noise_behind(**measured: Any) -> Fraction:
    """Noise patterns of both batches gone through; one token's noise that explains both squares."""
    return explain_both(**measured)[1]


VARIANCE_FROM_TWO_BATCHES = like(
    "noise-from-two-batches",
    GRADIENT_FROM_TWO_BATCHES,
    title="Variance of one token's gradient, from two batches",
    phrases="trace of the gradient covariance from two batch sizes; unbiased estimate of tr(Sigma); "
    "(|G_small|^2 - |G_big|^2)/(1/B_small - 1/B_big); S estimator of McCandlish; gradient variance from "
    "data-parallel ranks; noise of a single token's gradient",
    oracle=noise_behind,
    chain="""
    h_est = (g_1 - g_2)/(1/B_1 - 1/B_2)          -- each square is `G_2 + h/B`: `G_2` drops out
      = B_1*B_2*(g_1 - g_2)/(B_2 - B_1)          -- multiply out
    """,
)


def noise_over_gradient(**measured: Any) -> Fraction:
    """What explains both squares: one token's noise, over the squared gradient."""
    gradient, noise = explain_both(**measured)
    return noise / gradient


NOISE_SCALE_FROM_TWO_BATCHES = like(
    "noise-scale-from-two-batches",
    GRADIENT_FROM_TWO_BATCHES,
    title="Gradient noise scale, from two batches",
    phrases="B_simple from two batch sizes; how to measure the critical batch size; estimate gradient "
    "noise scale in data-parallel training; critical batch from gradient norms at two batch sizes; "
    "measured simple noise scale; tr(Sigma) over |G|^2 estimated during training",
    noun="tokens",
    fractional="a ratio of two measured figures, in tokens",
    given=(LARGER, "g_1 > g_2", "B_2*g_2 > B_1*g_1"),
    uses={"G_est": GRADIENT_FROM_TWO_BATCHES.at(), "h_est": VARIANCE_FROM_TWO_BATCHES.at()},
    oracle=noise_over_gradient,
    convention="The simple noise scale: the curvature taken as the same in all directions. A ratio of "
    "means, not the mean of ratios. Count batches in sequences, and it is in sequences.",
    chain="""
    B_est = h_est/G_est                               -- variance over the squared gradient
      = B_1*B_2*(g_1 - g_2)/(B_2*g_2 - B_1*g_1)       -- put them in: `B_2 - B_1` cancels
    """,
)


BATCHES = {"B": TOKENS, "B_n": SCALE_NOISE_SCALE, "S_min": LEAST_STEPS}
CRITICAL_BATCH = KAPLAN.at("section 5.1, equations 5.1, 5.2 and 5.4")


def walk_down(B: int, B_n: Fraction, S_min: Fraction) -> Fraction:
    """The way of the fewest steps without noise, gone in noisy steps; how many it takes."""
    one = Fraction(1)
    way = S_min * best_gain(one, one, Fraction(0), 1)
    return way / best_gain(one, one, B_n, B)


STEPS_AT_BATCH = derivation(
    "steps-at-batch",
    title="Steps to a loss with a batch",
    phrases="steps to target loss versus batch; S_min(1 + B/B); how many updates with given batch size; "
    "S_min times 1 plus B_crit/B; fewer steps with larger batch; does doubling the batch halve the "
    "steps; number of steps needed at batch size",
    unit=ONE,
    noun="steps",
    fractional="a law fitted to measured runs",
    letters=BATCHES,
    source=CRITICAL_BATCH,
    oracle=walk_down,
    convention="The noise scale taken as one number for the whole run.",
    chain="""
    S_B = S_min/(1/(1 + B_n/B))              -- each step gains this share of what it could
      = S_min*(1 + B_n/B)                    -- twice the fewest at `B = B_n`
      > S_min                                -- no batch needs fewer
    """,
)


def count_tokens_on_the_way(B: int, B_n: Fraction, S_min: Fraction) -> Fraction:
    """The steps of the way counted, and a batch of tokens for each of them."""
    return sum((walk_down(B, B_n, S_min) for _ in range(B)), Fraction(0))


TOKENS_AT_BATCH = derivation(
    "tokens-at-batch",
    title="Tokens to a loss with a batch",
    phrases="tokens to target loss versus batch; E_min(1 + B/B_crit); extra samples wasted by a large "
    "batch; data efficiency loss of big batch; how much data with given batch size; E_min times 1 plus "
    "B/B_crit",
    unit=ONE,
    noun="tokens",
    letters=BATCHES,
    uses={"S_B": STEPS_AT_BATCH.at()},
    source=CRITICAL_BATCH,
    oracle=count_tokens_on_the_way,
    convention="The noise scale taken as one number for the whole run. The fewest tokens, of the "
    "smallest batches, are `S_min*B_n`.",
    chain="""
    E_B = B*S_B                              -- a batch for every step
      = S_min*B_n*(1 + B/B_n)                -- twice the fewest at `B = B_n`
      > S_min*B_n                            -- no batch needs fewer
    """,
)


def compare_excesses(B: int, B_n: Fraction, S_min: Fraction) -> Fraction:
    """Steps counted beyond the fewest, times tokens counted beyond the fewest."""
    steps = walk_down(B, B_n, S_min)
    tokens = count_tokens_on_the_way(B, B_n, S_min)
    return (steps - S_min) / S_min * (tokens - S_min * B_n) / (S_min * B_n)


STEPS_TOKENS_TRADEOFF = derivation(
    "steps-tokens-tradeoff",
    title="Excess of steps times excess of tokens",
    phrases="(S/S_min - 1)(E/E_min - 1) = 1; time versus compute hyperbola; critical batch trade-off; "
    "Pareto front of serial steps and data",
    unit=ONE,
    letters=BATCHES,
    uses={"S_B": STEPS_AT_BATCH.at(), "E_B": TOKENS_AT_BATCH.at()},
    source=CRITICAL_BATCH,
    oracle=compare_excesses,
    convention="The critical batch is the fewest tokens over the fewest steps: `B_n`. There both "
    "excesses are 1.",
    chain="""
    x_SE = (S_B/S_min - 1)*(E_B/(S_min*B_n) - 1)     -- how far above the fewest, either way
      = (B_n/B)*(B/B_n)                              -- put them in
      = 1                                            -- a hyperbola: fewer steps cost tokens
    """,
)
