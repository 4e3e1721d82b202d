"""Tokens that a batch needs."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import CRITICAL_BATCH
from workings.derivations.scale.steps_at_batch import BATCHES, STEPS_AT_BATCH, walk_down
from workings.units import ONE


def count_tokens_on_the_way(B: int, B_n: Fraction, S_min: Fraction) -> Fraction:
    """The steps of the way counted, and a batch of tokens for each of them."""
    return sum((walk_down(B, B_n, S_min) for _ in range(B)), Fraction(0))


TOKENS_AT_BATCH = derivation(
    "tokens-at-batch",
    title="Tokens to a loss with a batch",
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
