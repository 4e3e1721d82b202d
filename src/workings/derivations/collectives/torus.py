"""Tori.

Accelerators on a torus have links to their neighbours along every axis, and no switch. Along one axis
that closes into a ring, chunks travel both ways at once, so half the hops reach all devices; over both
axes of a square, two halves of the message cross the axes in opposite orders, so that no link rests.
Bandwidth counts both directions of an axis together, as torus data sheets do. The latency of a hop
bounds it from below on one axis and is added on the square, and each entry says which.
"""

from fractions import Fraction

from workings.derivation import derivation, only_if
from workings.derivations.collectives._letters import SENT
from workings.derivations.collectives._sources import SCALING_BOOK_AXIS
from workings.simulate.clock import Link
from workings.simulate.torus import gather_on_square, gather_the_shorter_way
from workings.units import SECOND
from workings.vocabulary.collective_times import SIDE
from workings.vocabulary.collectives import MESSAGE
from workings.vocabulary.hardware import LATENCY, RING_DEVICES, TORUS_LINK
from workings.vocabulary.kinds import TORUS


def chunks_by_the_clock(N: int, S: Fraction, alpha: Fraction, W: Fraction, **_: int) -> Fraction:
    """Whole chunks go both ways until all ranks hold all; a hop takes the larger of its two times."""
    return gather_the_shorter_way(N, S, Link(alpha, W, overlapped=True)).finish


TORUS_AXIS_TIME = derivation(
    "torus-axis-time",
    title="Time of an all-gather along a torus axis",
    phrases="ICI time of a layer; transfer over one mesh axis; "
    "ICI allgather along one axis; TPU ring allgather with hop latency floor; max(N alpha/2, "
    "S/W); 3D torus single-dimension gather; TPU v5p mesh axis gather time; scaling book AllGather over "
    "axis X; collective on TPU ring with wraparound; TPU pod allgather on one axis",
    unit=SECOND,
    letters={**SENT, "alpha": LATENCY, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    given=("2 divides N", "n_ring divides N"),
    source=SCALING_BOOK_AXIS,
    oracle=chunks_by_the_clock,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="`alpha` is the least time of a hop, not added to its transfer (max, not sum). `W` counts "
    "both directions together. The axis is a ring.",
    leaves_out="Odd rings, which need `(N - 1)/2` hops.",
    chain="""
    T_axis = sum(max(alpha, S/N/(W/2)), (i, 1, N/2))   -- chunks go both ways: `N/2` hops reach all
      = N/2*max(alpha, 2*S/(N*W))                      -- equal hops
      = max(N/2*alpha, S/W)                            -- latency, or bandwidth: then free of `N`
    """,
)


def whole_chunks_both_ways(N: int, S: Fraction, alpha: Fraction, W: Fraction, **_: int) -> Fraction:
    """Whole chunks go both ways from rank to rank, each message timed, until all ranks hold all."""
    return gather_the_shorter_way(N, S, Link(alpha, W)).finish


TWO_WAY_RING_TIME = derivation(
    "two-way-ring-time",
    title="Time of a ring all-gather in half the hops, whole chunks both ways",
    phrases="bidirectional ring with half the steps; ceil(N/2) hops allgather; send whole shards to both "
    "neighbours at once; N/2 alpha latency term; halve the hops of a ring allgather",
    unit=SECOND,
    letters={**SENT, "alpha": LATENCY, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    given=("n_ring divides N",),
    source=SCALING_BOOK_AXIS,
    oracle=whole_chunks_both_ways,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="`W` counts both directions together, `W/2` each; a hop takes its start and then its "
    "chunk. Halves that go all the way round send as many bytes and start twice as often.",
    leaves_out="With an even number of ranks the last chunk comes from both sides; half of it from each "
    "would save half of the last hop's bytes.",
    chain="""
    T_both = floor(N/2)*alpha + floor(N/2)*(S/N)/(W/2)   -- no rank is further than half the ring away
      = floor(N/2)*(alpha + 2*S/(N*W))                   -- equal hops: a start and a chunk
      <= N/2*alpha + S/W                                 -- half the starts, bytes at all of `W`
    """,
)


def both_axes_by_the_clock(S: Fraction, X_t: int, alpha: Fraction, W: Fraction, **_: int) -> Fraction:
    """Two halves cross the axes in opposite orders, both ways on each axis, each message timed."""
    only_if(X_t <= 7)  # larger tori take too long here
    return gather_on_square(X_t, S, Link(alpha, W)).finish


SQUARE_TORUS_TIME = derivation(
    "square-torus-time",
    title="Time of an all-gather over both axes of a square torus",
    phrases="2D torus allgather duration; allgather over two ICI axes; both mesh axes used at once; 4x4 "
    "TPU gather duration; both torus dimensions gather time",
    unit=SECOND,
    letters={"S": MESSAGE, "X_t": SIDE, "alpha": LATENCY, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    given=("n_ring divides X_t",),
    source=SCALING_BOOK_AXIS,
    oracle=both_axes_by_the_clock,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="`X_t^2` devices. One half of the message is gathered over rows and then columns, the "
    "other over columns and then rows, so that both axes always work; `W` is one axis, both directions.",
    chain="""
    T_sq = (X_t - 1)*(alpha + S/(2*X_t^2)/W) + (X_t - 1)*(alpha + X_t*S/(2*X_t^2)/W)
                                                        -- a ring of chunks, then a ring of whole rows
      = 2*(X_t - 1)*alpha + (1 - 1/X_t^2)*S/(2*W)       -- `(X_t - 1)*(X_t + 1) = X_t^2 - 1`
      ≈ [S -> oo] (X_t^2 - 1)/X_t^2*S/(2*W)             -- a large message has both axes' bandwidth
    """,
)
