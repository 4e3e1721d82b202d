"""Time of an all-gather in rounds of doubling, for any number of ranks."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_ALL_GATHER
from workings.derivations.collectives.doubling_rounds import DOUBLING_ROUNDS
from workings.simulate.clock import Link
from workings.simulate.tree import bruck_all_gather
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def fill_gaps_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Ranks 1, 2, 4, … places apart send what the other lacks, each message timed."""
    return bruck_all_gather(N, S, Link(alpha, W_b)).finish


BRUCK_ALL_GATHER_TIME = derivation(
    "bruck-all-gather-time",
    title="Time of a Bruck all-gather, for any number of ranks",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"q": DOUBLING_ROUNDS.at()},
    source=MPICH_ALL_GATHER,
    oracle=fill_gaps_by_the_clock,
    convention="As recursive doubling, but the last round sends only the chunks that still lack.",
    leaves_out="Distant partners: any two ranks are taken to reach each other at full bandwidth.",
    chain="""
    T_Bruck = sum(alpha, (i, 1, q)) + sum(S/(N*W_b), (i, 1, N - 1))
                                                   -- `q` starts; in all `N - 1` chunks come in
      = q*alpha + (N - 1)/N*S/W_b                  -- equal terms
      = ceil(log2(N))*alpha + (N - 1)/N*S/W_b      -- put the rounds in
    """,
)
