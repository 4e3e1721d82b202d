"""Tokens of a micro-batch on one rank."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts._dealt import dealt_tokens
from workings.derivations.experts._letters import TOKENS
from workings.derivations.sources import SEQUENCE_PARALLEL
from workings.units import ONE


def deal_a_micro_batch(b_m: int, s: int, c: int, t: int) -> Fraction:
    """Tokens dealt out one by one to the `c*t` ranks that share a sequence; the fullest rank."""
    return dealt_tokens(b_m, s, c, t)


RANK_TOKENS = derivation(
    "rank-tokens",
    title="Tokens of a micro-batch on one rank",
    unit=ONE,
    noun="tokens",
    letters=TOKENS,
    given=("c*t divides s",),
    source=SEQUENCE_PARALLEL,
    oracle=deal_a_micro_batch,
    convention="Sequence parallelism: between blocks the `t` tensor-parallel ranks share the tokens of "
    "each sequence.",
    chain="""
    T = sum(s/c, (i, 1, b_m))/t     -- `s/c` tokens of each sequence, shared by `t` ranks
      = b_m*(s/c)/t                 -- equal terms
      = b_m*s/(c*t)                 -- collect
    """,
)
