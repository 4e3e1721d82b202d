"""Time of an all-reduce as a tree reduce and a tree broadcast."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_BROADCAST
from workings.derivations.collectives.doubling_rounds import DOUBLING_ROUNDS
from workings.simulate.clock import Link
from workings.simulate.tree import tree_all_reduce
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def up_and_down_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Sums are folded onto one rank and the total is spread again, each message timed."""
    return tree_all_reduce(N, S, Link(alpha, W_b)).finish


TREE_ALL_REDUCE_TIME = derivation(
    "tree-all-reduce-time",
    title="Time of a tree all-reduce",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"q": DOUBLING_ROUNDS.at()},
    source=MPICH_BROADCAST,
    oracle=up_and_down_by_the_clock,
    convention="A binomial reduce, then a binomial broadcast, of the whole message.",
    leaves_out="The additions, and pieces: cut up, the message could flow through the tree.",
    chain="""
    T_ud = sum(alpha + S/W_b, (i, 1, q)) + sum(alpha + S/W_b, (i, 1, q))   -- rounds up, rounds down
      = 2*q*(alpha + S/W_b)                                                -- equal rounds
      = 2*ceil(log2(N))*(alpha + S/W_b)                                    -- put the rounds in
    """,
)
