"""Time of an all-reduce by recursive halving and doubling."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_REDUCE
from workings.derivations.collectives.tree_all_gather_time import TREE_ALL_GATHER_TIME
from workings.simulate.clock import Link
from workings.simulate.tree import halving_doubling_all_reduce
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def halve_and_double_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Sums are halved away and gathered back between partners, each message timed."""
    return halving_doubling_all_reduce(N, S, Link(alpha, W_b)).finish


HALVING_DOUBLING_ALL_REDUCE_TIME = derivation(
    "halving-doubling-all-reduce-time",
    title="Time of a halving-doubling all-reduce",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"T_tree": TREE_ALL_GATHER_TIME.at()},
    given=("floor(log2(N)) = log2(N)",),
    source=MPICH_ALL_REDUCE,
    oracle=halve_and_double_by_the_clock,
    convention="`N` is a power of two (Rabenseifner's algorithm).",
    leaves_out="The additions; distant partners are taken to reach each other at full bandwidth.",
    chain="""
    T_hd = sum(alpha + S/(2^i*W_b), (i, 1, log2(N))) + T_tree
                                                   -- send half, a quarter, …; then gather by doubling
      = log2(N)*alpha + (N - 1)/N*S/W_b + T_tree   -- they add up to `1 - 1/N`
      = 2*log2(N)*alpha + 2*(N - 1)/N*S/W_b        -- a ring's bytes with far fewer starts
    """,
)
