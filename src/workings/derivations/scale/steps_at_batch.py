"""Steps that a batch needs."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._noise import best_gain
from workings.derivations.scale._sources import CRITICAL_BATCH
from workings.units import ONE
from workings.vocabulary.scale import LEAST_STEPS, NOISE_SCALE
from workings.vocabulary.training import TOKENS

BATCHES = {"B": TOKENS, "B_n": NOISE_SCALE, "S_min": LEAST_STEPS}


def walk_down(B: int, B_n: Fraction, S_min: Fraction) -> Fraction:
    """The way of the fewest steps without noise, gone in noisy steps; how many it takes."""
    one = Fraction(1)
    way = S_min * best_gain(one, one, Fraction(0), 1)
    return way / best_gain(one, one, B_n, B)


STEPS_AT_BATCH = derivation(
    "steps-at-batch",
    title="Steps to a loss with a batch",
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
