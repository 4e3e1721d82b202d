"""The best number of pieces of a pipelined broadcast."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_ROOTED
from workings.simulate.clock import Link
from workings.simulate.search import golden_bracket
from workings.simulate.timed_ring import chain_broadcast
from workings.units import SECOND
from workings.vocabulary.collective_times import CHAIN_HOPS, PIECES_REAL
from workings.vocabulary.collectives import MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY


def try_sizes_of_pieces(
    h_c: int, S: Fraction, k_p: Fraction, alpha: Fraction, W_b: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Pieces of many sizes are sent along the chain by the clock; the shortest time is searched for.

    How long a piece of a size takes to the end, and how far apart two arrive, is measured; that
    gives the time of any number of them, also between whole numbers.
    """
    if h_c > 6:  # longer chains take too long to search here
        return None
    link = Link(alpha, W_b)

    def time(pieces: Fraction) -> Fraction:
        first = chain_broadcast(h_c + 2, S / pieces, 1, link).finish
        second = chain_broadcast(h_c + 2, 2 * S / pieces, 2, link).finish
        return first + (pieces - 1) * (second - first)

    near = min((Fraction(2) ** e for e in range(-40, 41, 2)), key=time)
    return golden_bracket(time, near / 4, near * 4, 36)


RING_BROADCAST_PIECES = derivation(
    "ring-broadcast-pieces",
    title="Shortest pipelined ring broadcast",
    unit=SECOND,
    letters={"h_c": CHAIN_HOPS, "S": MESSAGE, "k_p": PIECES_REAL, "alpha": LATENCY, "W_b": BANDWIDTH},
    given=("alpha > 0[s]",),
    source=NCCL_TESTS_ROOTED,
    oracle=try_sizes_of_pieces,
    convention="`h_c + 2` ranks. `k_p` is a real number here; in practice the whole number beside it.",
    chain="""
    T_best = (h_c + k_p)*(alpha + S/(k_p*W_b))       -- the first piece's other hops, then all pieces
      = h_c*alpha + S/W_b + k_p*alpha + h_c*S/(k_p*W_b)          -- multiply out
      minimise over k_p at sqrt(h_c*S/(alpha*W_b)) = (sqrt(h_c*alpha) + sqrt(S/W_b))^2
                                                     -- where more starts cost what smaller pieces save
    """,
)
