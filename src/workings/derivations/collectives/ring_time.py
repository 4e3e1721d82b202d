"""The time of rings.

A message takes a latency to start and its bytes over the bandwidth to arrive; the first entry says so
of a single message and all others add such messages up. A gather and a reduce-scatter have as many
hops, one chunk each, so they take equally long, and an all-reduce takes both times. A broadcast cuts
its message into pieces that follow one another, and has a best number of them; a gather can also be made
of broadcasts, one from each rank. The last entry tells
when a ring is bound by latency: below that message its starts take longer than its bytes, and a tree is
worth a look.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives._letters import SENT, TIMED
from workings.derivations.collectives._sources import (
    MPICH_ALL_GATHER,
    NCCL_TESTS_ROOTED,
    PYTORCH_UNEVEN_GATHER,
    SCALING_BOOK_AXIS,
)
from workings.derivations.collectives.ring import (
    BIDIRECTIONAL_ALL_GATHER,
    RING_ALL_GATHER,
    RING_REDUCE_SCATTER,
)
from workings.derivations.sources import NCCL_TESTS
from workings.simulate.clock import Clock, Link
from workings.simulate.search import golden_bracket
from workings.simulate.timed_ring import all_gather, all_reduce, chain_broadcast, reduce_scatter
from workings.simulate.torus import gather_in_halves
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.collective_times import CHAIN_HOPS, PIECES, PIECES_REAL
from workings.vocabulary.collectives import MESSAGE
from workings.vocabulary.hardware import BANDWIDTH, LATENCY, RING_DEVICES, TORUS_LINK
from workings.vocabulary.kinds import TORUS


def send_one_message(S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """One message by the clock: when its last byte has arrived."""
    clock = Clock()
    clock.send(Link(alpha, W_b), 0, 1, S)
    return clock.finish


POINT_TO_POINT_TIME = derivation(
    "point-to-point-time",
    title="Time of a point-to-point message",
    phrases="send/recv latency; alpha-beta model; Hockney model; p2p transfer duration; how long to "
    "move data between two cards; latency plus size over bandwidth; microseconds for one message; isend "
    "irecv duration; how long to send a tensor between GPUs",
    unit=SECOND,
    letters={"S": MESSAGE, "alpha": LATENCY, "W_b": BANDWIDTH},
    source=NCCL_TESTS.at("nccl-tests, doc/PERFORMANCE.md, “Time”: overhead + size / bandwidth"),
    oracle=send_one_message,
    convention="The α–β model with a bandwidth, `W_b`; where β is seconds a byte, it is `1/W_b`.",
    leaves_out="Other messages on the same link.",
    chain="""
    T_p2p = alpha + S/W_b       -- it starts, then its bytes follow one another
      >= S/W_b                  -- `alpha` is never negative
      ≈ [S -> oo] S/W_b         -- for a large message only the bandwidth matters
    """,
)


def pass_chunks_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Ranks hand on chunks as they arrive, each message timed, until all hold all."""
    return all_gather(N, S, Link(alpha, W_b)).finish


RING_ALL_GATHER_TIME = derivation(
    "ring-all-gather-time",
    title="Time of a ring all-gather",
    phrases="allgather duration; ring AG latency; (N-1) alpha + (N-1)/N S/W; time until every card has "
    "all pieces; time to gather FSDP params over NVLink; duration of collecting all slices; alpha beta "
    "cost of allgather; gather sharded weights, seconds; allgather time from bus bandwidth",
    unit=SECOND,
    letters=TIMED,
    uses={"V_AG": RING_ALL_GATHER.at()},
    source=MPICH_ALL_GATHER,
    oracle=pass_chunks_by_the_clock,
    convention="`W_b` is what a rank sends one way; chunks go round in one direction.",
    leaves_out="Links that other groups use at the same time.",
    chain="""
    T_AG = sum(alpha + S/(N*W_b), (i, 1, N - 1))  -- `N - 1` hops, each starts and moves one chunk
      = (N - 1)*alpha + V_AG/W_b                  -- starts, and the bytes a rank sends
      = (N - 1)*alpha + (N - 1)/N*S/W_b           -- put the bytes in
      >= (N - 1)/N*S/W_b                          -- a bandwidth-bound gather
      ≈ [N -> oo] S/W_b                           -- on a large ring, the whole message
    """,
)


def pass_sums_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Partial sums travel on as soon as they are added up, each message timed."""
    return reduce_scatter(N, S, Link(alpha, W_b)).finish


RING_REDUCE_SCATTER_TIME = like(
    "ring-reduce-scatter-time",
    RING_ALL_GATHER_TIME,
    title="Time of a ring reduce-scatter",
    phrases="reducescatter duration; ring RS latency; alpha beta cost of reducescatter; seconds to "
    "reduce and scatter gradients",
    uses={"V_RS": RING_REDUCE_SCATTER.at()},
    source=MPICH_ALL_GATHER.at(
        "comment on costs of MPI_Reduce_scatter: recursive halving, pairwise exchange"
    ),
    oracle=pass_sums_by_the_clock,
    leaves_out="The additions, and links that other groups use at the same time.",
    chain="""
    T_RS = sum(alpha + S/(N*W_b), (i, 1, N - 1))  -- `N - 1` hops, each starts and moves a partial sum
      = (N - 1)*alpha + V_RS/W_b                  -- starts, and the bytes a rank sends
      = (N - 1)*alpha + (N - 1)/N*S/W_b           -- the time of an all-gather
    """,
)


def go_round_twice_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Sums are made on one way round and handed out on a second, each message timed."""
    return all_reduce(N, S, Link(alpha, W_b)).finish


RING_ALL_REDUCE_TIME = like(
    "ring-all-reduce-time",
    RING_REDUCE_SCATTER_TIME,
    title="Time of a ring all-reduce",
    phrases="NVLink all-reduce within a node; gradient all-reduce time of a group; "
    "allreduce duration; ring AR latency; NCCL ring allreduce seconds; 2(N-1)(alpha + S/(N W)); "
    "time to synchronize arrays over cards; is allreduce slower on more GPUs; alpha beta cost of "
    "allreduce; seconds to add up gradients on all GPUs; nccl-tests time column",
    uses={"T_RS": RING_REDUCE_SCATTER_TIME.at(), "T_AG": RING_ALL_GATHER_TIME.at()},
    source=NCCL_TESTS,
    oracle=go_round_twice_by_the_clock,
    chain="""
    T_AR = T_RS + T_AG                                 -- sums are made, then handed out
      = 2*(N - 1)*alpha + 2*(N - 1)/N*S/W_b            -- both take the same time
      >= 2*(N - 1)/N*S/W_b                             -- a bandwidth-bound all-reduce
      ≈ [N -> oo] 2*S/W_b                              -- on a large ring, the whole message twice
    """,
)


def halves_by_the_clock(N: int, S: Fraction, alpha: Fraction, W: Fraction, **_: int) -> Fraction:
    """Halves of all chunks go all the way round, one each way, each message timed."""
    return gather_in_halves(N, S, Link(alpha, W)).finish


BIDIRECTIONAL_ALL_GATHER_TIME = derivation(
    "bidirectional-all-gather-time",
    title="Time of a bidirectional ring all-gather, chunks in halves",
    phrases="two-way ring allgather duration; bidirectional ICI allgather time with start-ups; both "
    "link directions used; scaling book AllGather V over W_ici bidirectional; TPU allgather time "
    "wraparound both directions; allgather time using both directions",
    unit=SECOND,
    letters={**SENT, "alpha": LATENCY, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    uses={"V_bi": BIDIRECTIONAL_ALL_GATHER.at()},
    given=("n_ring divides N",),
    source=SCALING_BOOK_AXIS,
    oracle=halves_by_the_clock,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="`W` counts both directions together, `W/2` each. The axis is a ring: without a link "
    "round its end, only one direction of each link is of use.",
    chain="""
    T_bi = sum(alpha + S/(2*N)/(W/2), (i, 1, N - 1))   -- `N - 1` hops of half a chunk each way
      = (N - 1)*alpha + V_bi/(W/2)                     -- starts, and the bytes of one direction
      = (N - 1)*alpha + (N - 1)/N*S/W                  -- as one direction with all of `W`
    """,
)


def hand_pieces_by_the_clock(N: int, S: Fraction, k_p: int, alpha: Fraction, W_b: Fraction) -> Fraction:
    """Pieces follow each other along the chain, each handed on when it is there and the link free."""
    return chain_broadcast(N, S, k_p, Link(alpha, W_b)).finish


RING_BROADCAST_TIME = derivation(
    "ring-broadcast-time",
    title="Time of a pipelined ring broadcast",
    phrases="chunked chain bcast duration; pipelined broadcast latency with k pieces; duration of "
    "sending one copy around a circle; time to pass data down a chain in pieces; how long to broadcast "
    "weights around a ring",
    unit=SECOND,
    letters={**SENT, "k_p": PIECES, "alpha": LATENCY, "W_b": BANDWIDTH},
    given=("N >= 2",),
    source=NCCL_TESTS_ROOTED,
    oracle=hand_pieces_by_the_clock,
    convention="The message is cut into `k_p` equal pieces that follow one another.",
    chain="""
    T_chain = sum(alpha + S/(k_p*W_b), (i, 1, N - 1)) + sum(alpha + S/(k_p*W_b), (i, 1, k_p - 1))
                                             -- the first piece takes `N - 1` hops; the others follow
      = (N - 1 + (k_p - 1))*(alpha + S/(k_p*W_b))   -- equal hops
      ≈ [S -> oo] (N - 1 + (k_p - 1))/k_p*S/W_b   -- near `S/W_b` with many pieces, as from the root
    """,
)


def hand_every_part_by_the_clock(
    N: int, S: Fraction, k_p: int, alpha: Fraction, W_b: Fraction
) -> Fraction:
    """Every rank's part handed along the chain in pieces, one rank's after the other's; the clock."""
    only_if(N * N * k_p <= 10_000)
    return sum((chain_broadcast(N, S / N, k_p, Link(alpha, W_b)).finish for _ in range(N)), Fraction(0))


BROADCAST_ALL_GATHER_TIME = like(
    "broadcast-all-gather-time",
    RING_BROADCAST_TIME,
    title="Time of an all-gather made of a broadcast for each rank",
    phrases="uneven allgather as a group of broadcasts; all_gather of different sizes in PyTorch; "
    "allgatherv by broadcasts; gathering shards with one broadcast a rank; list all_gather fallback with "
    "ncclBroadcast; vector all-gather duration",
    uses={"T_chain": RING_BROADCAST_TIME.at(S="S/N")},
    source=PYTORCH_UNEVEN_GATHER,
    oracle=hand_every_part_by_the_clock,
    convention="Every rank's part in turn goes round in `k_p` pieces. PyTorch does so where parts "
    "differ; here they are equal, for comparison. NCCL may run several at once where it groups them.",
    chain="""
    T_bag = sum(T_chain, (i, 1, N))                       -- a broadcast of `S/N` bytes from each rank
      = N*T_chain                                         -- equal parts
      = N*(N - 1 + (k_p - 1))*(alpha + S/(N*k_p*W_b))           -- put it in
    """,
)


def race_broadcasts_and_the_ring(N: int, S: Fraction, k_p: int, W_b: Fraction) -> Fraction:
    """Both run by the clock on links that take no time to start; the broadcasts' time over the ring's."""
    link = Fraction(0)
    ring = all_gather(N, S, Link(link, W_b)).finish
    return hand_every_part_by_the_clock(N, S, k_p, link, W_b) / ring


BROADCASTS_AGAINST_ALL_GATHER = like(
    "broadcasts-against-all-gather",
    BROADCAST_ALL_GATHER_TIME,
    title="An all-gather made of broadcasts against one on a ring",
    phrases="how much slower is an uneven all_gather; all-gather as broadcasts over the ring; padding "
    "shards against broadcasting them; why even shards in FSDP; cost of all_gather with unequal tensors; "
    "allgatherv penalty",
    unit=ONE,
    letters={**SENT, "k_p": PIECES, "W_b": BANDWIDTH},
    uses={
        "T_bag": BROADCAST_ALL_GATHER_TIME.at(alpha="0[s]"),
        "T_gather": RING_ALL_GATHER_TIME.at(alpha="0[s]"),
    },
    oracle=race_broadcasts_and_the_ring,
    convention="Large messages, whose starts take no time beside their bytes. With many pieces a little "
    "slower than the ring, with one piece `N` times as slow: one link works at a time.",
    chain="""
    r_bag = T_bag/T_gather                                -- the same links, the same bytes in the end
      = N*(N - 1 + (k_p - 1))*(S/(N*k_p*W_b))/((N - 1)*(S/(N*W_b)))     -- put both in, without starts
      = N*(N - 1 + (k_p - 1))/((N - 1)*k_p)                     -- bytes and bandwidth cancel
      ≈ [k_p -> oo] N/(N - 1)                             -- with ever smaller pieces
    """,
)


def try_sizes_of_pieces(
    h_c: int, S: Fraction, k_p: Fraction, alpha: Fraction, W_b: Fraction
) -> tuple[Fraction, Fraction]:
    """Pieces of many sizes are sent along the chain by the clock; the shortest time is searched for.

    How long a piece of a size takes to the end, and how far apart two arrive, is measured; that
    gives the time of any number of them, also between whole numbers.
    """
    only_if(h_c <= 6)  # longer chains take too long to search here
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
    phrases="optimal chunk count of pipelined bcast; best segment size chain broadcast; minimal chain "
    "broadcast time; best number of pieces to broadcast around a ring; how many pieces to split a "
    "pipelined broadcast; optimal pieces for chain bcast",
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


def compare_starts_and_transfer(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> bool:
    """The gather is run as if transfers took no time and as if starts took none; the slower counts."""
    whole = all_gather(N, S, Link(alpha, W_b)).finish
    transfer = all_gather(N, S, Link(0, W_b)).finish
    return whole - transfer > transfer


LATENCY_BOUND_MESSAGE = derivation(
    "latency-bound-message",
    title="Message below which a ring is latency-bound",
    phrases="latency versus bandwidth regime boundary; small message threshold of ring collective; N "
    "alpha W crossover size; when does start-up delay dominate a collective; 45 kB per hop rule for "
    "ICI; why are small allreduces slow; minimum tensor size for full ring bandwidth; bucket too small "
    "latency dominates; alpha times beta crossover size",
    unit=BYTE,
    letters=TIMED,
    given=("N >= 2",),
    source=SCALING_BOOK_AXIS,
    oracle=compare_starts_and_transfer,
    convention="A ring all-gather or reduce-scatter of `S` bytes in all; an all-reduce has twice both "
    "sides. `alpha*W_b` is what a link carries while one message starts.",
    chain="""
    (N - 1)*alpha > (N - 1)/N*S/W_b    -- the starts take longer than the bytes
      <=> alpha > S/(N*W_b)            -- the same for each of the `N - 1` hops
      <=> S < N*alpha*W_b              -- solve for the message
    """,
)
