"""The trade of steps for tokens."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import CRITICAL_BATCH
from workings.derivations.scale.steps_at_batch import BATCHES, STEPS_AT_BATCH, walk_down
from workings.derivations.scale.tokens_at_batch import TOKENS_AT_BATCH, count_tokens_on_the_way
from workings.units import ONE


def compare_excesses(B: int, B_n: Fraction, S_min: Fraction) -> Fraction:
    """Steps counted beyond the fewest, times tokens counted beyond the fewest."""
    steps = walk_down(B, B_n, S_min)
    tokens = count_tokens_on_the_way(B, B_n, S_min)
    return (steps - S_min) / S_min * (tokens - S_min * B_n) / (S_min * B_n)


STEPS_TOKENS_TRADEOFF = derivation(
    "steps-tokens-tradeoff",
    title="Excess of steps times excess of tokens",
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
