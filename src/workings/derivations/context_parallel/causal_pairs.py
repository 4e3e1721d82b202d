"""Pairs of queries and keys that a rank has on average."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.context_parallel._balance import LETTERS
from workings.derivations.context_parallel._sources import STRIPED_ATTENTION
from workings.simulate.ring_attention import causal, rotate, striped
from workings.units import ONE


def count_the_pairs_of_all_ranks(c: int, s: int) -> Fraction:
    """Every query with every key that it may see, on whichever rank; the mean of the ranks."""
    return Fraction(sum(map(sum, rotate(striped(s, c), causal).pairs)), c)


CAUSAL_PAIRS = derivation(
    "causal-pairs",
    title="Pairs of queries and keys of a rank, causal, on average",
    unit=ONE,
    noun="pairs",
    fractional="on average over the context-parallel ranks",
    letters=LETTERS,
    source=STRIPED_ATTENTION,
    oracle=count_the_pairs_of_all_ranks,
    convention="One head of one sequence; however its tokens are dealt out.",
    chain="""
    n_qk = sum(i, (i, 1, s))/c              -- token `i` sees `i` keys, its own included
      = s*(s + 1)/(2*c)                     -- the sum of the numbers up to `s`, shared by `c` ranks
    """,
)
