"""All-to-all.

In an all-to-all every rank has a part for every other rank: tokens go to their experts, heads are
exchanged for sequences. The message here is what one rank starts with, not what all hold together, as
it is for a gather. Over a switch each part is sent once; on a ring parts are handed on by those
between, and a quarter of an all-gather of the same array is what remains. Where the group spans nodes,
the parts divide into those for node mates and those for other nodes; both kinds of links work at the
same time, so the slower of the two counts, and the last entry tells from how many ranks on that is the
network.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives._letters import IN_NODES, SENT, TIMED
from workings.derivations.collectives._sources import (
    NCCL_TESTS_BANDWIDTH,
    SCALING_BOOK_AXIS,
    SCALING_BOOK_NODE,
    SCALING_BOOK_NODES,
)
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.derivations.collectives.ring import RING_ALL_GATHER
from workings.simulate.clock import BYTES, Clock, Link
from workings.simulate.exchange import (
    all_to_all,
    all_to_all_in_nodes,
    exchange_on_a_ring,
    exchange_one_way,
)
from workings.simulate.ring import all_gather
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.hardware import LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.kinds import SWITCH, TORUS

SCALING_BOOK_ALL_TO_ALL = SCALING_BOOK_AXIS.at(
    "part 3, “Our final communication primitive: the AllToAll”, with its footnote"
)


def address_every_part(N: int, S: Fraction) -> Fraction:
    """Each rank's parts, addressed to every rank, are sent to the others and counted."""
    return all_to_all(N, S, BYTES).sent(0)


ALL_TO_ALL = derivation(
    "all-to-all",
    title="Bytes one rank sends in an all-to-all",
    phrases="a2a volume per rank; alltoall send size; (N-1)/N of own buffer; personalized exchange "
    "bytes; how much data does alltoall move; everyone sends a different piece to everyone, volume; "
    "shuffle data between all cards; distributed transpose traffic; ncclAllToAll bytes",
    unit=BYTE,
    letters=SENT,
    source=NCCL_TESTS_BANDWIDTH,
    oracle=address_every_part,
    convention="`S` is what one rank starts with, `S/N` of it for each rank, itself included; all ranks "
    "together hold `N*S`.",
    leaves_out="Unequal parts, as routed tokens make them.",
    chain="""
    V_A2A = sum(S/N, (i, 1, N - 1))  -- `S/N` bytes for each of the `N - 1` others
      = (N - 1)*(S/N)                -- equal parts
      = (N - 1)/N*S                  -- all but its own part
      <= S                           -- at most what it starts with
    """,
)


def hand_every_part_on(N: int, S: Fraction) -> Fraction:
    """Every part is handed on the shorter way round; what one rank sends both ways is counted."""
    right, left = exchange_on_a_ring(N, S)
    return right + left


ALL_TO_ALL_RING = like(
    "all-to-all-ring",
    ALL_TO_ALL,
    title="Bytes one rank sends in an all-to-all on a ring",
    phrases="all-to-all on a bidirectional ring against an all-gather; "
    "a2a traffic on a ring topology; alltoall over TPU ICI; N/4 growth of alltoall; pieces "
    "passed through neighbours in alltoall; alltoall link load on 1D torus; alltoall volume when cards "
    "form a circle; personalised exchange on a ring, bytes",
    given=("2 divides N",),
    source=SCALING_BOOK_ALL_TO_ALL,
    oracle=hand_every_part_on,
    holds_for={TORUS: "all-to-all"},
    convention="`S` is what one rank starts with. Both ways together, parts handed on for others "
    "included; every part goes the shorter way round.",
    leaves_out="Rings of odd length, `(N^2 - 1)/(4*N)*S`.",
    chain="""
    V_ring = sum(i*(S/N), (i, 1, N/2)) + sum(i*(S/N), (i, 1, N/2 - 1))
                                    -- a part for a rank `i` places off crosses `i` links: right, left
      = (N/2)*(N/2 + 1)/2*(S/N) + (N/2 - 1)*(N/2)/2*(S/N)   -- `sum(i, (i, 1, n)) = n*(n + 1)/2`
      = N/4*S                       -- grows with the ring: parts travel `N/4` links on average
    """,
)


def hand_every_part_to_the_right(N: int, S: Fraction) -> Fraction:
    """Every part is handed on to the right until it is home; what one rank sends is counted."""
    only_if(N <= MOST_RANKS)
    return exchange_one_way(N, S)


ALL_TO_ALL_ONE_WAY = like(
    "all-to-all-one-way",
    ALL_TO_ALL,
    title="Bytes one rank sends in an all-to-all on a ring that works one way",
    phrases="a2a on a unidirectional ring; (N-1)/2 growth of a one-way alltoall; bytes over one link of "
    "a one-way ring alltoall; alltoall handed on to the right only; half of an allgather; scalars over "
    "one link in a one-directional AllToAll",
    source=SCALING_BOOK_ALL_TO_ALL.at("part 3, question 10"),
    oracle=hand_every_part_to_the_right,
    convention="`S` is what one rank starts with; an all-gather of the same array, of `N*S` bytes, sends "
    "twice as much. Parts handed on for others are counted.",
    chain="""
    V_one = sum(i*(S/N), (i, 1, N - 1))   -- the part for the rank `i` places on crosses `i` links
      = (N - 1)*N/2*(S/N)                 -- `sum(i, (i, 1, n)) = n*(n + 1)/2`
      = (N - 1)/2*S                       -- twice what a ring that works both ways needs, and more
    """,
)


def compare_both_on_a_ring(N: int, S: Fraction) -> Fraction:
    """Both collectives really run on an array of `N*S` bytes; the bytes of one rank are compared."""
    right, left = exchange_on_a_ring(N, S)
    return (right + left) / all_gather(N, N * S).sent[0]


ALL_TO_ALL_AGAINST_ALL_GATHER = derivation(
    "all-to-all-against-all-gather",
    title="An all-to-all on a ring against an all-gather of the same array",
    phrases="a2a versus allgather cost on TPU; alltoall is a quarter of allgather; N/(4(N-1)) ratio on "
    "a torus ring; why is AllToAll 4x cheaper than AllGather",
    unit=ONE,
    letters=SENT,
    uses={"V_ring": ALL_TO_ALL_RING.at(), "V_AG": RING_ALL_GATHER.at(S="N*S")},
    given=("2 divides N",),
    source=SCALING_BOOK_ALL_TO_ALL,
    oracle=compare_both_on_a_ring,
    holds_for={TORUS: ""},
    convention="An array of `N*S` bytes of which each rank holds `S`; links work both ways.",
    chain="""
    r_A2A = V_ring/V_AG                   -- bytes of one rank against bytes of one rank
      = (N/4*S)/((N - 1)/N*(N*S))         -- the all-gather collects the whole array, `N*S`
      = N/(4*(N - 1))                     -- the size drops out
      > 1/4                               -- a quarter on a large ring, little more on a small one
    """,
)


def exchange_by_the_clock(N: int, S: Fraction, alpha: Fraction, W_b: Fraction) -> Fraction:
    """In round d every rank sends to the rank d places on; each message is timed."""
    return all_to_all(N, S, Link(alpha, W_b)).finish


ALL_TO_ALL_TIME = derivation(
    "all-to-all-time",
    title="Time of an all-to-all over a switch",
    phrases="a2a duration through a switch; alltoall alpha-beta cost; (N-1) alpha plus bytes; seconds "
    "to shuffle pieces among all GPUs; MoE dispatch collective time; personalised exchange duration; "
    "time to swap pieces between all cards",
    unit=SECOND,
    letters=TIMED,
    uses={"V_A2A": ALL_TO_ALL.at()},
    source=SCALING_BOOK_NODE,
    oracle=exchange_by_the_clock,
    holds_for={SWITCH: ""},
    convention="`S` is what one rank starts with. Any two ranks reach each other at full bandwidth; a "
    "rank sends one message at a time.",
    leaves_out="Unequal parts, and messages that share a link.",
    chain="""
    T_A2A = sum(alpha + S/(N*W_b), (i, 1, N - 1))  -- one message to each other rank, one after another
      = (N - 1)*alpha + V_A2A/W_b                  -- starts, and the bytes a rank sends
      = (N - 1)*alpha + (N - 1)/N*S/W_b            -- put the bytes in
    """,
)


def exchange(N: int, S: Fraction, n_node: int) -> Clock:
    """Send every part over the link that it needs, unless the group is too large to run."""
    only_if(N <= MOST_RANKS)
    return all_to_all_in_nodes(N, n_node, S, *two_links())


def count_parts_to_node_mates(**letters: Any) -> Fraction:
    """Every part is sent over the link that it needs; bytes over links inside nodes are counted."""
    return exchange(**letters).sent(0, "inside")


ALL_TO_ALL_INSIDE = derivation(
    "all-to-all-inside",
    title="Bytes of an all-to-all that one rank sends inside its node",
    phrases="intra-node part of a2a; alltoall bytes over NVLink; alltoall share staying in the node; "
    "intra-node exchange bytes",
    unit=BYTE,
    letters=IN_NODES,
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=count_parts_to_node_mates,
    convention="`S` is what one rank starts with. `n_node` ranks of the group share each node.",
    chain="""
    V_in = sum(S/N, (i, 1, n_node - 1))  -- a part for each other rank of its node
      = (n_node - 1)/N*S                 -- equal parts
      <= n_node/N*S                      -- a node's share of the ranks
    """,
)


def count_parts_to_other_nodes(**letters: Any) -> Fraction:
    """Every part is sent over the link that it needs; bytes over links between nodes are counted."""
    return exchange(**letters).sent(0, "between")


ALL_TO_ALL_BETWEEN = like(
    "all-to-all-between",
    ALL_TO_ALL_INSIDE,
    title="Bytes of an all-to-all that one rank sends to other nodes",
    phrases="inter-node part of a2a; alltoall bytes over the network; share of alltoall leaving the "
    "node; cross-node exchange bytes",
    oracle=count_parts_to_other_nodes,
    chain="""
    V_out = sum(S/N, (i, 1, N - n_node))  -- a part for each rank outside its node
      = (N - n_node)*(S/N)                -- equal parts
      = (1 - n_node/N)*S                  -- the share that leaves the node
      ≈ [N -> oo] S                       -- over many nodes, nearly everything
    """,
)


def send_over_both_kinds_of_links(W_1: Fraction, W_2: Fraction, **letters: Any) -> Fraction:
    """Bytes of every part are added up by the link they take; the link that is busy longer counts."""
    clock = exchange(**letters)
    return max(clock.sent(0, "inside") / W_1, clock.sent(0, "between") / W_2)


ALL_TO_ALL_NODES_TIME = derivation(
    "all-to-all-nodes-time",
    title="Time of an all-to-all over several nodes",
    phrases="multi-node a2a duration; alltoall latency across nodes; max of NVLink and IB alltoall "
    "time; inter-node alltoall cost",
    unit=SECOND,
    letters={**IN_NODES, "W_1": LINK_ONE_WAY, "W_2": NETWORK_ONE_WAY},
    uses={"V_in": ALL_TO_ALL_INSIDE.at(), "V_out": ALL_TO_ALL_BETWEEN.at()},
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=send_over_both_kinds_of_links,
    convention="`S` is what one rank starts with. Links inside the node and the network work at the same "
    "time, and each rank has the network bandwidth `W_2` to itself.",
    leaves_out="Start-up latency.",
    chain="""
    T_nodes = max(V_in/W_1, V_out/W_2)                                 -- the slower of the two counts
      = max((n_node - 1)/N*S/W_1, (N - n_node)/N*S/W_2)                -- put the bytes in
      = max((n_node - 1)/W_1, (N - n_node)/W_2)*S/N                    -- a part is `S/N` bytes
    """,
)


def compare_busy_links(W_1: Fraction, W_2: Fraction, **letters: Any) -> bool:
    """Bytes are added up by the link they take; the busier of node and network is found."""
    clock = exchange(**letters)
    return clock.sent(0, "between") / W_2 > clock.sent(0, "inside") / W_1


ALL_TO_ALL_NETWORK_BOUND = like(
    "all-to-all-network-bound",
    ALL_TO_ALL_NODES_TIME,
    title="Ranks from which the network bounds an all-to-all",
    phrases="a2a group size where InfiniBand becomes the bottleneck; NVLink versus IB crossover of "
    "alltoall; GPUs until cross-machine traffic dominates exchange; number of GPUs where NIC limits a2a",
    unit=ONE,
    noun="devices",
    oracle=compare_busy_links,
    convention="Links inside the node and the network work at the same time.",
    chain="""
    V_out/W_2 > V_in/W_1                                           -- the network is busy longer
      <=> (N - n_node)/N*S/W_2 > (n_node - 1)/N*S/W_1              -- put the bytes in
      <=> N > n_node + (n_node - 1)*W_2/W_1                        -- solve for the ranks
    """,
)
