"""Rings.

On a ring every rank sends to its right neighbour only and hands on what it receives. It is the
algorithm to know first: it works for any number of ranks, needs a link to one neighbour, and sends as
few bytes as can be, nearly the whole message however many ranks there are. An all-gather passes chunks
round until all ranks hold them all, a reduce-scatter passes partial sums until each rank holds one
complete sum, and an all-reduce is one after the other, which is why it moves twice the bytes. A chunk is
one of as many equal parts of the message as there are ranks, and in one hop every rank sends one of them.
Where links work both ways, halves of the chunks go in both directions at once; a broadcast sends pieces
down the ring in a row. Throughout, the message is counted whole: what is gathered in the end, or what
each rank starts to reduce with. A chunk may be any fraction of it: `N` need not divide `S`.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.collectives._letters import SENT
from workings.derivations.collectives._sources import NCCL_TESTS_ROOTED, SCALING_BOOK_AXIS
from workings.derivations.sources import NCCL_TESTS, SEQUENCE_PARALLEL
from workings.simulate.clock import BYTES
from workings.simulate.ring import all_gather, all_reduce, reduce_scatter
from workings.simulate.timed_ring import chain_broadcast
from workings.simulate.torus import gather_in_halves
from workings.units import BYTE
from workings.vocabulary.collective_times import PIECES
from workings.vocabulary.kinds import TORUS


def pass_chunks_round(N: int, S: Fraction) -> Fraction:
    """Ranks pass chunks to the right until each holds them all; what one rank sent is counted."""
    return all_gather(N, S).sent[0]


RING_ALL_GATHER = derivation(
    "ring-all-gather",
    title="Bytes one rank sends in a ring all-gather",
    phrases="allgather volume per GPU; (N-1)/N S; ring AG bytes sent; how much data does allgather "
    "move; data each GPU sends collecting everyone's slices; every card gets all pieces, bytes; network "
    "traffic of gathering shards; bytes on the wire for allgather; all_gather_into_tensor traffic",
    unit=BYTE,
    letters=SENT,
    source=NCCL_TESTS,
    oracle=pass_chunks_round,
    convention="`S` is the whole gathered message, of which each rank starts with `S/N`.",
    leaves_out="Start-up latency of each hop.",
    chain="""
    V_AG = sum(S/N, (i, 1, N - 1))  -- `N - 1` hops, one chunk of `S/N` bytes a hop
      = (N - 1)*(S/N)               -- `N - 1` equal terms
      = (N - 1)/N*S                 -- collect
      <= S                          -- `N - 1 < N`: nearly the whole message, however large the ring
      ≈ [N -> oo] S                 -- on a large ring, the whole message
    """,
)


def pass_partial_sums_round(N: int, S: Fraction) -> Fraction:
    """Partial sums travel round a ring until each rank holds one complete sum."""
    return reduce_scatter(N, S).sent[0]


RING_REDUCE_SCATTER = like(
    "ring-reduce-scatter",
    RING_ALL_GATHER,
    title="Bytes one rank sends in a ring reduce-scatter",
    phrases="reducescatter volume per GPU; ring RS bytes sent; (N-1)/N S partial sums; sum arrays and "
    "leave each card one slice; how much data does reducescatter move; summing shards around the ring, "
    "data moved; volume of ncclReduceScatter",
    oracle=pass_partial_sums_round,
    convention="`S` is the whole vector each rank starts with; it ends with `S/N` of the sum.",
    leaves_out="Start-up latency of each hop, and the additions.",
    chain="""
    V_RS = sum(S/N, (i, 1, N - 1))  -- `N - 1` hops, one partial sum of `S/N` bytes a hop
      = (N - 1)*(S/N)               -- `N - 1` equal terms
      = (N - 1)/N*S                 -- collect
      <= S                          -- `N - 1 < N`
      ≈ [N -> oo] S                 -- on a large ring, the whole message
    """,
)


def walk_the_ring(N: int, S: Fraction) -> Fraction:
    """Chunks gather sums on their way round a ring, then the complete sums go round again."""
    return all_reduce(N, S).sent[0]


RING_ALL_REDUCE = derivation(
    "ring-all-reduce",
    title="Bytes one rank sends in a ring all-reduce",
    phrases="allreduce volume per GPU; 2(N-1)/N S; ring AR bytes sent; gradient sync traffic factor; "
    "how much data does allreduce move; why allreduce costs 2x the buffer; traffic to add up arrays on "
    "all cards; how many bytes for averaging gradients; Baidu Horovod ring traffic",
    unit=BYTE,
    letters=SENT,
    source=NCCL_TESTS,
    oracle=walk_the_ring,
    convention="Each rank starts with a vector of `S` bytes and ends with the sum of all of them. Chunks "
    "are `S/N` bytes whether or not `N` divides `S`; a library rounds them to whole elements.",
    leaves_out="Start-up latency of each hop, and the additions.",
    chain="""
    V = sum(S/N, (i, 1, N - 1))             -- a hop sends one chunk of `S/N` bytes: a partial sum in
      + sum(S/N, (i, 1, N - 1))             -- the first `N - 1` hops, a complete sum in the other `N - 1`
      = 2*sum(S/N, (i, 1, N - 1))           -- both phases move the same bytes
      = 2*(N - 1)*(S/N)                     -- `N - 1` equal terms
      = 2*(N - 1)/N*S                       -- collect
      <= 2*S                                -- `N - 1 < N`: the ring is bandwidth-flat
    """,
)


ALL_REDUCE_IN_TWO = like(
    "all-reduce-in-two",
    RING_ALL_REDUCE,
    title="An all-reduce moves the bytes of a reduce-scatter and an all-gather",
    phrases="allreduce = reduce-scatter + allgather; decomposition of allreduce; RS plus AG "
    "equivalence; why ZeRO-2 costs no more than DDP; split of allreduce into two halves; why is "
    "allreduce twice the traffic; decompose allreduce",
    uses={"V_RS": RING_REDUCE_SCATTER.at(), "V_AG": RING_ALL_GATHER.at()},
    source=SEQUENCE_PARALLEL,
    leaves_out="Start-up latency: two collectives start twice.",
    chain="""
    V_two = V_RS + V_AG                  -- scatter the sums, then gather them
      = (N - 1)/N*S + (N - 1)/N*S      -- each moves all chunks but one
      = 2*(N - 1)/N*S                  -- the bytes of a ring all-reduce
    """,
)


def send_halves_both_ways(N: int, S: Fraction) -> Fraction:
    """Halves of all chunks go round in opposite directions; one rank's bytes to the right are counted."""
    return gather_in_halves(N, S, BYTES).sent(0, "right")


BIDIRECTIONAL_ALL_GATHER = like(
    "bidirectional-all-gather",
    RING_ALL_GATHER,
    title="Bytes one rank sends each way in a bidirectional all-gather",
    phrases="two-way ring allgather bytes per direction; half volume per direction; bidirectional ICI "
    "allgather volume; traffic using both ring directions; sending clockwise and anticlockwise; send "
    "half each way around ring",
    source=SCALING_BOOK_AXIS,
    oracle=send_halves_both_ways,
    holds_for={TORUS: "ring-all-gather"},
    convention="One half of every chunk goes right round, the other left round, at the same time.",
    chain="""
    V_bi = sum(S/(2*N), (i, 1, N - 1))  -- `N - 1` hops, half a chunk a hop, in each direction
      = (N - 1)/N*S/2                   -- half of what a ring in one direction sends
      <= S/2                            -- so the links' both ways bandwidth counts
    """,
)


def hand_on_pieces(N: int, S: Fraction, k_p: int) -> Fraction:
    """Pieces are handed on from rank to rank; the busiest rank's bytes are counted."""
    clock = chain_broadcast(N, S, k_p, BYTES)
    return max(clock.sent(rank) for rank in range(N))


BROADCAST_RING = derivation(
    "broadcast-ring",
    title="Bytes the busiest rank sends in a ring broadcast",
    phrases="chain broadcast volume; pipelined bcast bytes; ncclBroadcast traffic per rank; passing one "
    "copy around a circle, volume; dist.broadcast data forwarded along the ring",
    unit=BYTE,
    letters={**SENT, "k_p": PIECES},
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
