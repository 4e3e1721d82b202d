"""Tori.

Accelerators on a torus have links to their neighbours along every axis, and no switch. Along one axis
that closes into a ring, chunks travel both ways at once, so half the hops reach all devices; over both
axes of a square, two halves of the message cross the axes in opposite orders, so that no link rests.
Bandwidth counts both directions of an axis together, as torus data sheets do. The latency of a hop
bounds it from below on one axis and is added on the square, and each entry says which. How many hops
there are decides on small messages: the first entries count them, round a ring and along a line. Over
several axes at once, the longest way and the links of one device bound a gather, and the longest axis
an all-to-all; the bytes of a device are those of one ring through all.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives._letters import SENT
from workings.derivations.collectives._sources import SCALING_BOOK_AXIS
from workings.derivations.collectives.ring import RING_REDUCE_SCATTER
from workings.derivations.sources import scaling_book
from workings.simulate.clock import Link
from workings.simulate.lanes import seconds_to_send
from workings.simulate.torus import (
    all_to_all_on_torus,
    furthest,
    gather_on_square,
    gather_the_shorter_way,
    reduce_scatter_on_torus,
)
from workings.units import ONE, SECOND
from workings.vocabulary.collective_times import (
    AXES_GATHERED,
    AXES_SUM,
    FIRST_AXIS,
    LONGEST_AXIS,
    SECOND_AXIS,
    SIDE,
    THIRD_AXIS,
)
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.hardware import LATENCY, RING_DEVICES, TORUS_LINK
from workings.vocabulary.kinds import TORUS

SCALING_BOOK_WRAP = scaling_book("tpus", "part 2, “TPU Networking”, on wraparound links")


def tell_the_neighbours(N: int) -> int:
    """Whoever has heard tells both neighbours on the ring; rounds until all have."""
    only_if(N <= 300)
    return furthest([N])


RING_HOPS = derivation(
    "ring-hops",
    title="Hops until every rank of a ring is reached, both ways round",
    phrases="longest distance on a ring with wraparound; how many hops does a bidirectional ring "
    "allgather take; N/2 hops to the furthest chip; diameter of a ring; torus distance between two "
    "chips; steps of a two-way ring; wraparound halves the distance",
    unit=ONE,
    noun="hops",
    letters={"N": GROUP},
    source=SCALING_BOOK_WRAP,
    oracle=tell_the_neighbours,
    convention="The ring is closed and links work both ways. A gather or a reduce-scatter that goes both "
    "ways has as many steps.",
    chain="""
    h_ring = floor(N/2)                 -- `i` places on is `N - i` places back: half a ring at most
      <= N/2                            -- half as far as along an open line, for many ranks
    """,
)


def tell_along_the_line(N: int) -> int:
    """Whoever has heard tells both neighbours, and the ends have one; rounds until all have."""
    only_if(N <= 300)
    return furthest([N], closed=False)


LINE_HOPS = like(
    "line-hops",
    RING_HOPS,
    title="Hops from one end of a line of ranks to the other, or one way round a ring",
    phrases="N - 1 hops of a one-way ring; steps of a unidirectional ring allgather; hops along an axis "
    "without wraparound; how many hops does a line of chips take; steps of a ring that sends "
    "in one direction; longest path of an open mesh axis",
    source=SCALING_BOOK_AXIS.at("part 3, “How is an AllGather actually performed?”"),
    oracle=tell_along_the_line,
    convention="An axis without a link round its end, or a ring on which chunks go one way only: both "
    "have `N - 1` links to cross.",
    chain="""
    h_line = sum(1, (i, 1, N - 1))      -- one hop for every link between neighbours
      = N - 1                           -- a link fewer than ranks: twice as far as both ways round
    """,
)


def starts_one_after_another(N: int, alpha: Fraction) -> Fraction:
    """A message of next to nothing handed round the shorter way, by the clock."""
    only_if(N <= 40)
    return gather_the_shorter_way(N, 1, Link(alpha, Fraction(1, 10**9), overlapped=False)).finish - (
        gather_the_shorter_way(N, 1, Link(0, Fraction(1, 10**9))).finish
    )


RING_STARTS_TIME = derivation(
    "ring-starts-time",
    title="Least time of a short message round a ring, both ways",
    phrases="latency-bound allgather on a ring; hops times hop latency; T_min times N/2; smallest time a "
    "collective on a TPU axis can take; 1 us per hop lower bound; latency floor of a two-way ring; how "
    "long does gathering a few bytes take on a torus axis",
    unit=SECOND,
    letters={"N": GROUP, "alpha": LATENCY},
    uses={"h_ring": RING_HOPS.at()},
    source=SCALING_BOOK_AXIS.at("part 3, pop quiz 2 and question 3"),
    oracle=starts_one_after_another,
    convention="`alpha` is the least time of a hop. The ring is closed, and chunks go both ways.",
    leaves_out="The bytes, and what a kernel adds before its first hop (a few microseconds).",
    chain="""
    T_h = sum(alpha, (i, 1, h_ring))    -- a start for each hop to the furthest rank
      = floor(N/2)*alpha                -- equal hops
    """,
)


def starts_along_the_line(N: int, alpha: Fraction) -> Fraction:
    """The rounds in which word goes from one end to the other, each as long as a hop."""
    clock = Fraction(0)
    for _round in range(tell_along_the_line(N)):
        clock += alpha
    return clock


LINE_STARTS_TIME = like(
    "line-starts-time",
    RING_STARTS_TIME,
    title="Least time of a short message along a line, or one way round a ring",
    phrases="latency-bound allgather without wraparound; (N-1) alpha lower bound; three hops take 3 us; "
    "latency floor of a one-way ring; small-message time on an open axis; smallest time of a "
    "collective on a 4x4 slice that does not wrap",
    uses={"h_line": LINE_HOPS.at()},
    oracle=starts_along_the_line,
    convention="`alpha` is the least time of a hop. No link round the end, or chunks go one way only.",
    chain="""
    T_l = sum(alpha, (i, 1, h_line))    -- a start for each hop from end to end
      = (N - 1)*alpha                   -- equal hops
    """,
)


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


def bring_it_in_over_all_links(
    S: Fraction, M: int, X_sum: int, alpha: Fraction, W: Fraction, **_: int
) -> Fraction:
    """Word told from device to device round by round; packets of the array on links into a device."""
    sides = [2] * (M - 1) + [X_sum - 2 * (M - 1)]
    only_if(M <= 5 and X_sum <= 60)
    starts = sum((alpha for _ in range(furthest(sides))), Fraction(0))
    packets = 24 * M
    return max(starts, S / packets * seconds_to_send(packets, 2 * M, W / 2))


TORUS_AXES_TIME = derivation(
    "torus-axes-time",
    title="Time of an all-gather over several axes of a torus",
    phrases="allgather over multiple mesh axes; bandwidth of three ICI axes adds up; AllGather on a 3D "
    "torus over X, Y and Z; V/(W n_axes); T_min times half the sum of the axes; all-gather over 3 axes "
    "of a pod slice with wraparound links; collective over two ICI axes at once",
    unit=SECOND,
    letters={
        "S": MESSAGE, "M": AXES_GATHERED, "X_sum": AXES_SUM, "alpha": LATENCY, "W": TORUS_LINK,
        "n_ring": RING_DEVICES,
    },
    given=("2 divides X_sum", "2*M <= X_sum", "n_ring divides X_sum"),
    source=SCALING_BOOK_AXIS.at("part 3, on gathers over several axes, and question 2"),
    oracle=bring_it_in_over_all_links,
    holds_for={TORUS: "ring-all-gather-time"},
    convention="Every axis closes into a ring of an even number of devices; `X_sum` is 8 on a 4 × 4 "
    "torus. `W` is one axis, both directions. `alpha` is the least time of a hop, not added to its "
    "transfer, and a device's own part is counted as if it were sent, as on one axis. `n_ring` divides "
    "each axis, so also their sum.",
    leaves_out="Hops in which some axis rests: with few devices an axis the links are not always full.",
    chain="""
    T_axes = max(X_sum/2*alpha, S/(2*M)/(W/2))
                                        -- to the furthest device: half round each axis; `2*M` links in
      = max(X_sum/2*alpha, S/(M*W))     -- latency of the longest way, or bandwidth of all axes
    """,
)  # fmt: skip


def sum_along_one_axis_after_the_other(S: Fraction, n_1: int, n_2: int, n_3: int) -> Fraction:
    """Vectors summed along the rings of each axis in turn, each device keeping its part; bytes sent."""
    only_if(n_1 * n_2 * n_3 <= 80)
    return reduce_scatter_on_torus((n_1, n_2, n_3), S)


TORUS_REDUCE_SCATTER = like(
    "torus-reduce-scatter",
    RING_REDUCE_SCATTER,
    title="Bytes a device sends in a reduce-scatter over the axes of a torus",
    phrases="reduce-scatter on a 2D or 3D torus bytes per chip; allgather over several torus axes bytes "
    "sent; axis by axis reduce-scatter volume; TPU reducescatter over X, Y and Z; ICI traffic of a "
    "multi-axis collective; 1 - 1/(XYZ) of the array; bytes each TPU chip sends over its ICI links",
    letters={"S": MESSAGE, "n_1": FIRST_AXIS, "n_2": SECOND_AXIS, "n_3": THIRD_AXIS},
    uses={
        "V_1": RING_REDUCE_SCATTER.at(N="n_1"),
        "V_2": RING_REDUCE_SCATTER.at(N="n_2", S="S/n_1"),
        "V_3": RING_REDUCE_SCATTER.at(N="n_3", S="S/(n_1*n_2)"),
    },
    source=SCALING_BOOK_AXIS.at("part 3, on gathers over several axes"),
    oracle=sum_along_one_axis_after_the_other,
    holds_for={TORUS: "ring-reduce-scatter"},
    convention="`S` is the whole vector each device starts with; over all its links, both ways. "
    "`n_3 = 1` on a torus of two axes. An all-gather is the same backwards, and an all-reduce both. "
    "Where all axes are equally long, parts that take them in turn load each alike.",
    leaves_out="Start-up latency of each hop, and the additions.",
    chain="""
    V_tor = V_1 + V_2 + V_3          -- along the first axis, then of what is left along the others
      = (n_1 - 1)/n_1*S + (n_2 - 1)/n_2*(S/n_1) + (n_3 - 1)/n_3*(S/(n_1*n_2))
                                     -- a ring along each axis
      = (1 - 1/(n_1*n_2*n_3))*S      -- no more than on one ring through all of them
      <= S                           -- nearly the whole vector, however many axes
    """,
)


def load_every_link(S: Fraction, X_l: int, W: Fraction, **_: int) -> Fraction:
    """Parts really sent over two axes, one not longer than the other; the busiest link's bytes timed."""
    only_if(X_l <= 8)
    return all_to_all_on_torus((X_l, 2), S) / (W / 2)


TORUS_ALL_TO_ALL_TIME = derivation(
    "torus-all-to-all-time",
    title="Time of an all-to-all over the axes of a torus",
    phrases="alltoall on a 2D torus; all-to-all over several mesh axes; data times hops over links; "
    "alltoall cost set by the longest axis; bisection bound of an alltoall on ICI; MoE alltoall on a TPU "
    "pod grows with sqrt(N); V X/(4 N W)",
    unit=SECOND,
    letters={"S": MESSAGE, "X_l": LONGEST_AXIS, "W": TORUS_LINK, "n_ring": RING_DEVICES},
    given=("2 divides X_l", "n_ring divides X_l"),
    source=SCALING_BOOK_AXIS.at(
        "part 3, “Our final communication primitive: the AllToAll”, on several axes"
    ),
    oracle=load_every_link,
    holds_for={TORUS: "all-to-all-time"},
    convention="`S` is what one rank starts with: of `n` ranks that hold `V` together it is `V/n`. Parts "
    "go along one axis after the other, and all axes work at once, so the longest decides; `W` is one "
    "axis, both directions.",
    leaves_out="Start-up latency; axes of an odd number of devices.",
    chain="""
    T_tor = (sum(2*i*(S/X_l), (i, 1, X_l/2 - 1)) + X_l/2*(S/X_l))/W
                            -- parts for a place `i` off, on either side, cross `i` links; right across
      = ((X_l/2 - 1)*(X_l/2)*(S/X_l) + S/2)/W      -- `sum(i, (i, 1, n)) = n*(n + 1)/2`
      = X_l*S/(4*W)                                -- parts travel a quarter of the axis on average
    """,
)
