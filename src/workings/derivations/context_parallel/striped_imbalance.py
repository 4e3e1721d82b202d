"""Causal attention on striped tokens."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._balance import LETTERS, slowest_over_mean
from workings.derivations.context_parallel._sources import STRIPED_ATTENTION
from workings.derivations.context_parallel.causal_pairs import CAUSAL_PAIRS
from workings.simulate.ring_attention import striped
from workings.units import ONE


def wait_for_the_slowest_stripe(c: int, s: int) -> Fraction | None:
    """Every `c`-th token dealt to a rank; the pairs of each step's slowest rank over the mean."""
    return slowest_over_mean(striped, s, c)


STRIPED_IMBALANCE = derivation(
    "striped-imbalance",
    title="Work of the slowest rank over the mean, causal, striped tokens",
    unit=ONE,
    letters=LETTERS,
    uses={"n_qk": CAUSAL_PAIRS.at()},
    given=("c divides s",),
    source=STRIPED_ATTENTION,
    oracle=wait_for_the_slowest_stripe,
    convention="Rank `r` holds every `c`-th token from the `r`-th on. The last rank is also the slowest "
    "of every step, so a ring that waits in every step takes as long.",
    chain="""
    u_str = sum(i*c, (i, 1, s/c))/n_qk      -- last rank: tokens `c`, `2*c`, ... see as many keys
      = c*(s/c*(s/c + 1)/2)/(s*(s + 1)/(2*c))    -- add them up, put the mean in
      = (1 + c/s)/(1 + 1/s)                 -- multiply both by `2*c/s^2`
      ≈ [s -> oo] 1                         -- long sequences: even
    """,
)
