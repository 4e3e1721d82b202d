"""All-gather by recursive doubling."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_GATHER
from workings.simulate.clock import BYTES
from workings.simulate.tree import doubling_all_gather
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def exchange_all_that_is_held(N: int, S: Fraction) -> Fraction:
    """Pairs of ranks 1, 2, 4, … apart exchange all they hold; one rank's bytes are counted."""
    return doubling_all_gather(N, S, BYTES).sent(0)


DOUBLING_ALL_GATHER = derivation(
    "doubling-all-gather",
    title="Bytes one rank sends in a recursive-doubling all-gather",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    given=("floor(log2(N)) = log2(N)",),
    source=MPICH_ALL_GATHER,
    oracle=exchange_all_that_is_held,
    convention="`N` is a power of two.",
    leaves_out="Start-up latency of each round.",
    chain="""
    V_dbl = sum(2^(i - 1)*(S/N), (i, 1, log2(N)))  -- a rank sends all it holds: 1, 2, 4, … chunks
      = (N - 1)*(S/N)                              -- 1, 2, 4 and so on add up to `N - 1`
      = (N - 1)/N*S                                -- the bytes of a ring, in `log2(N)` messages
    """,
)
