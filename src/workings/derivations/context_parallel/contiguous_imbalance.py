"""Causal attention on consecutive tokens: the last rank has nearly twice the mean."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._balance import LETTERS, slowest_over_mean
from workings.derivations.context_parallel._sources import STRIPED_ATTENTION
from workings.derivations.context_parallel.causal_pairs import CAUSAL_PAIRS
from workings.simulate.ring_attention import contiguous
from workings.units import ONE


def wait_for_the_slowest_of_each_step(c: int, s: int) -> Fraction | None:
    """Consecutive tokens dealt out; the pairs of each step's slowest rank over the mean."""
    return slowest_over_mean(contiguous, s, c)


CONTIGUOUS_IMBALANCE = derivation(
    "contiguous-imbalance",
    title="Work of the slowest rank over the mean, causal, tokens in order",
    unit=ONE,
    letters=LETTERS,
    uses={"n_qk": CAUSAL_PAIRS.at()},
    given=("c divides s",),
    source=STRIPED_ATTENTION,
    oracle=wait_for_the_slowest_of_each_step,
    convention="Rank `r` holds the `r`-th `s/c` tokens. The last rank is also the slowest of every step, "
    "so a ring that waits in every step takes as long.",
    chain="""
    u_con = (s/c*(s - s/c) + sum(i, (i, 1, s/c)))/n_qk
                                            -- last rank: all keys before its own, then its own
      = (s/c*(s - s/c) + s/c*(s/c + 1)/2)/(s*(s + 1)/(2*c))    -- add them up, put the mean in
      = ((2*c - 1)*s + c)/(c*(s + 1))       -- multiply both by `2*c^2/s`
      ≈ [s -> oo] 2 - 1/c                   -- long sequences: nearly twice the mean
    """,
)
