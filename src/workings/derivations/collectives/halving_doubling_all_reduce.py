"""All-reduce by recursive halving and doubling."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_REDUCE
from workings.derivations.collectives.doubling_all_gather import DOUBLING_ALL_GATHER
from workings.simulate.clock import BYTES
from workings.simulate.tree import halving_doubling_all_reduce
from workings.units import BYTE
from workings.vocabulary.collectives import GROUP, MESSAGE


def halve_then_double(N: int, S: Fraction) -> Fraction:
    """Ranks send away half of their sums, then half of those, and gather them back; bytes counted."""
    return halving_doubling_all_reduce(N, S, BYTES).sent(0)


HALVING_DOUBLING_ALL_REDUCE = derivation(
    "halving-doubling-all-reduce",
    title="Bytes one rank sends in a halving-doubling all-reduce",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE},
    uses={"V_dbl": DOUBLING_ALL_GATHER.at()},
    given=("floor(log2(N)) = log2(N)",),
    source=MPICH_ALL_REDUCE,
    oracle=halve_then_double,
    convention="`N` is a power of two (Rabenseifner's algorithm).",
    leaves_out="The additions, and start-up latency of each round.",
    chain="""
    V_hd = sum(S/2^i, (i, 1, log2(N))) + V_dbl  -- half of the sums, a quarter, …; then gather
      = (N - 1)/N*S + V_dbl                     -- they add up to `1 - 1/N`
      = 2*(N - 1)/N*S                           -- the bytes of a ring all-reduce
    """,
)
