"""Broadcast along a chain of ranks."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives._sources import NCCL_TESTS_ROOTED
from workings.simulate.clock import BYTES
from workings.simulate.timed_ring import chain_broadcast
from workings.units import BYTE
from workings.vocabulary.collective_times import PIECES
from workings.vocabulary.collectives import GROUP, MESSAGE


def hand_on_pieces(N: int, S: Fraction, k_p: int) -> Fraction:
    """Pieces are handed on from rank to rank; the busiest rank's bytes are counted."""
    clock = chain_broadcast(N, S, k_p, BYTES)
    return max(clock.sent(rank) for rank in range(N))


BROADCAST_RING = derivation(
    "broadcast-ring",
    title="Bytes the busiest rank sends in a ring broadcast",
    unit=BYTE,
    letters={"N": GROUP, "S": MESSAGE, "k_p": PIECES},
    given=("N >= 2",),
    source=NCCL_TESTS_ROOTED,
    oracle=hand_on_pieces,
    convention="The root sends to its neighbour, every rank but the last hands on; a reduce is the same "
    "backwards.",
    leaves_out="Start-up latency of each piece.",
    chain="""
    V_bc = sum(S/k_p, (i, 1, k_p))  -- each piece is sent once
      = k_p*(S/k_p)                 -- equal pieces
      = S                           -- the whole message, however long the ring and however cut
    """,
)
