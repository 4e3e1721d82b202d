"""Time of a broadcast over a binomial tree."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import MPICH_BROADCAST
from workings.derivations.collectives.doubling_rounds import DOUBLING_ROUNDS
from workings.simulate.clock import Link
from workings.simulate.tree import binomial_broadcast
from workings.units import SECOND
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def spread_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Ranks that have the message send it on as soon as they can, each message timed."""
    return binomial_broadcast(N, S, Link(alpha, W_b)).finish


TREE_BROADCAST_TIME = derivation(
    "tree-broadcast-time",
    title="Time of a tree broadcast",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    uses={"q": DOUBLING_ROUNDS.at()},
    source=MPICH_BROADCAST,
    oracle=spread_by_the_clock,
    convention="A binomial tree that sends the message whole. A reduce takes the same time.",
    leaves_out="Pieces: cut up, the message could flow down the tree.",
    chain="""
    T_bc = sum(alpha + S/W_b, (i, 1, q))   -- one whole message in each round
      = q*(alpha + S/W_b)                  -- `q` rounds
      = ceil(log2(N))*(alpha + S/W_b)      -- put the rounds in
    """,
)
