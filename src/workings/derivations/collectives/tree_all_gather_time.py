"""Time of an all-gather by recursive doubling."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_GATHER
from workings.simulate.clock import Link
from workings.simulate.tree import doubling_all_gather
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def double_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Pairs of ranks 1, 2, 4, … apart exchange all they hold, each message timed."""
    return doubling_all_gather(N, S, Link(alpha, W_b)).finish


TREE_ALL_GATHER_TIME = derivation(
    "tree-all-gather-time",
    title="Time of a recursive-doubling all-gather",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    given=("floor(log2(N)) = log2(N)",),
    source=MPICH_ALL_GATHER,
    oracle=double_by_the_clock,
    convention="`N` is a power of two. `S` is the whole gathered message. Lectures that write "
    "`alpha*log2(N) + S/W_b` take `(N - 1)/N` as 1.",
    leaves_out="Distant partners: any two ranks are taken to reach each other at full bandwidth.",
    chain="""
    T_tree = sum(alpha + 2^(i - 1)*S/(N*W_b), (i, 1, log2(N)))
                                              -- what a rank holds doubles in each of `log2(N)` rounds
      = log2(N)*alpha + (N - 1)/N*S/W_b       -- 1, 2, 4 and so on add up to `N - 1` chunks
      <= log2(N)*alpha + S/W_b                -- the form often quoted, a little too long
      ≈ [S -> oo] S/W_b                       -- for a large message, the bandwidth alone
    """,
)
