"""Time of a pipelined broadcast along a chain."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_ROOTED
from workings.simulate.clock import Link
from workings.simulate.timed_ring import chain_broadcast
from workings.units import SECOND
from workings.vocabulary.collective_times import PIECES
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def hand_pieces_on_by_the_clock(
    N: int, S: Fraction, k_p: int, alpha: Fraction, W_b: Fraction
) -> Fraction:
    """Pieces follow each other along the chain, each handed on when it is there and the link free."""
    return chain_broadcast(N, S, k_p, Link(alpha, W_b)).finish


RING_BROADCAST_TIME = derivation(
    "ring-broadcast-time",
    title="Time of a pipelined ring broadcast",
    unit=SECOND,
    letters={"N": GROUP, "S": MESSAGE, "k_p": PIECES, "alpha": LATENCY, "W_b": BANDWIDTH},
    given=("N >= 2",),
    source=NCCL_TESTS_ROOTED,
    oracle=hand_pieces_on_by_the_clock,
    convention="The message is cut into `k_p` equal pieces that follow one another.",
    chain="""
    T_chain = sum(alpha + S/(k_p*W_b), (i, 1, N - 1)) + sum(alpha + S/(k_p*W_b), (i, 1, k_p - 1))
                                             -- the first piece takes `N - 1` hops; the others follow
      = (N - 1 + (k_p - 1))*(alpha + S/(k_p*W_b))   -- equal hops
      ≈ [S -> oo] (N - 1 + (k_p - 1))/k_p*S/W_b   -- near `S/W_b` with many pieces, as from the root
    """,
)
