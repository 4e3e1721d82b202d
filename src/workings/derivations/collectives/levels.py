"""Levels of switches that work at once.

A large message is cut into pieces, and while one crosses the network another moves inside the nodes: so
the time is that of the slower level and not the sum of both. An array that an inner mesh axis already
splits is gathered by fewer ranks of a node, each for its own part, which saves bytes inside the nodes
and none between them. The last entries count what goes through the switches themselves, which copy
what they pass on.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives._letters import IN_NODES
from workings.derivations.collectives._sources import SCALING_BOOK_NODES
from workings.derivations.collectives._two_levels import MOST_RANKS, two_links
from workings.derivations.collectives.hierarchical import gather
from workings.derivations.collectives.ring import RING_ALL_GATHER
from workings.simulate.hierarchy import all_gather
from workings.simulate.switch_tree import gather_through_switches
from workings.units import BYTE, SECOND
from workings.vocabulary.collective_times import INNER_AXIS
from workings.vocabulary.hardware import LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.kinds import SWITCH

SPEEDS = {"W_1": LINK_ONE_WAY, "W_2": NETWORK_ONE_WAY}
SPLIT_BEFORE = SCALING_BOOK_NODES.at(
    "part 12, “Cross-node collectives”, on reductions of an array that is sharded over another axis"
)


def time_the_busier_level(W_1: Fraction, W_2: Fraction, **letters: Any) -> Fraction:
    """A gather really made on two levels; bytes of a rank over each kind of link, the longer time."""
    clock = gather(**letters)
    return max(clock.sent(0, "inside") / W_1, clock.sent(0, "between") / W_2)


OVERLAPPED_ALL_GATHER_TIME = derivation(
    "overlapped-all-gather-time",
    title="Time of an all-gather or a reduce-scatter over a tree of switches whose levels overlap",
    phrases="all-gather over a tree of NVSwitch and InfiniBand levels; max of node-level and scale-out "
    "time; cost of the worst level of the tree; B over the slowest level's bandwidth; pipelined "
    "hierarchical allgather; GPU allgather across nodes bounded by node egress; how long does a "
    "reduce-scatter over several DGX nodes take",
    unit=SECOND,
    letters={**IN_NODES, **SPEEDS},
    uses={
        "V_gi": RING_ALL_GATHER.at(N="n_node"),
        "V_go": RING_ALL_GATHER.at(N="N/n_node", S="S/n_node"),
    },
    given=("n_node divides N",),
    source=SCALING_BOOK_NODES,
    oracle=time_the_busier_level,
    holds_for={SWITCH: "ring-all-gather-time"},
    convention="`n_node` ranks of the group share each node, whose egress is `n_node*W_2`; for many "
    "devices and nodes it is `max(S/W_1, S/(n_node*W_2))`. Both levels "
    "work at once on pieces of a large message; of more than two levels the slowest counts. An "
    "all-reduce takes both, a reduce-scatter and an all-gather: twice as long.",
    leaves_out="Start-up latency, and the first and last pieces, in which one level waits. Levels one "
    "after the other are hierarchical-all-gather-time.",
    chain="""
    T_lev = max(V_gi/W_1, V_go/W_2)       -- the slower of both levels
      = max((n_node - 1)/n_node*S/W_1, (1 - n_node/N)*S/(n_node*W_2))    -- a ring in and between nodes
    """,
)


def gather_each_part_by_its_group(
    N: int, S: Fraction, Y: int, n_node: int, W_1: Fraction, W_2: Fraction
) -> Fraction:
    """Ranks listed with their part and node; each part gathered by its group, and links compared."""
    only_if(N <= MOST_RANKS)
    group = [rank for rank in range(N) if rank % Y == 0]
    mates = sum(1 for rank in group if rank // n_node == 0)
    clock = all_gather(len(group), mates, S / Y, *two_links())
    return max(clock.sent(0, "inside") / W_1, clock.sent(0, "between") / W_2)


SPLIT_ARRAY_GATHER_TIME = derivation(
    "split-array-gather-time",
    title="Time to gather or reduce-scatter an array that an inner axis already splits, over switches",
    phrases="reduction of an array sharded over a separate axis; data-parallel gradient sync beside "
    "tensor parallelism inside the node; collective divided by min(Y, node size); in-node TP lowers the "
    "node-level cost of DP; bytes over W_node times D_node over max(D_node, Y); gather over the outer "
    "axis of a 2D mesh on GPUs",
    unit=SECOND,
    letters={**IN_NODES, "Y": INNER_AXIS, **SPEEDS},
    uses={
        "V_gi": RING_ALL_GATHER.at(N="n_node/Y", S="S/Y"),
        "V_go": RING_ALL_GATHER.at(N="N/n_node", S="S/n_node"),
    },
    given=(
        "n_node divides N",
        "Y divides n_node -- an inner axis that fills nodes leaves a ring of `N/Y` ranks between them",
    ),
    source=SPLIT_BEFORE,
    oracle=gather_each_part_by_its_group,
    holds_for={SWITCH: ""},
    convention="`N` ranks in all, of which each `Y` in a row split the array; `S` is the whole array. "
    "Each part is gathered by the `N/Y` ranks that share it, `n_node/Y` of them in a node. Levels "
    "overlap. Where `Y` is a multiple of a node it is a ring-all-gather-time of `S/Y` bytes among `N/Y` "
    "ranks over the network.",
    leaves_out="Start-up latency, and the first and last pieces, in which one level waits.",
    chain="""
    T_split = max(V_gi/W_1, V_go/W_2)          -- `n_node/Y` of a node's ranks share a part
      = max((1 - Y/n_node)*S/(Y*W_1), (1 - n_node/N)*S/(n_node*W_2))
                                               -- less inside the nodes; between them as before
    """,
)


def copy_in_the_node_switch(N: int, S: Fraction, n_node: int) -> Fraction:
    """Chunks sent up and copied by switches until all ranks hold all; out of the first node's switch."""
    only_if(N <= MOST_RANKS)
    return gather_through_switches(N, n_node, S).out_of_node


NODE_SWITCH_BYTES = derivation(
    "node-switch-bytes",
    title="Bytes out of a node's switches in an all-gather over several nodes",
    phrases="NVSwitch egress in an allgather; bytes leaving the node switch; traffic through the switch "
    "of a node with multicast; how much does each NVSwitch send; switch load of a multi-node allgather; "
    "B N bytes of switch egress",
    unit=BYTE,
    letters=IN_NODES,
    given=("n_node divides N", "N > n_node -- one node alone sends nothing up"),
    source=SCALING_BOOK_NODES,
    oracle=copy_in_the_node_switch,
    holds_for={SWITCH: ""},
    convention="All switches of the node together; each copies what it passes on. What comes in is the "
    "message once, `S`: the node's own parts, and those of the others from above.",
    chain="""
    V_swn = n_node*(S - S/N) + n_node*(S/N)   -- to each device all but its own; the node's parts, up
      = n_node*S                              -- as if each device were sent the whole message
    """,
)


def copy_in_the_spine(N: int, S: Fraction, n_node: int) -> Fraction:
    """Chunks sent up and copied by switches until all ranks hold all; out of the spine."""
    only_if(N <= MOST_RANKS)
    return gather_through_switches(N, n_node, S).out_of_spine


SPINE_SWITCH_BYTES = like(
    "spine-switch-bytes",
    NODE_SWITCH_BYTES,
    title="Bytes out of the switches between nodes in an all-gather",
    phrases="spine egress in an allgather; traffic of the top-level switch; B (M-1) bytes leave the "
    "spine; leaf or spine switch load of a collective; how much do switches between servers carry in a "
    "gather",
    oracle=copy_in_the_spine,
    convention="All switches between the nodes as one, which copies what it passes on. The message comes "
    "in once, `S`.",
    chain="""
    V_spn = (N/n_node)*(S - S/(N/n_node))     -- to each node all but its own part
      = (N/n_node - 1)*S                      -- the message, once for every other node
    """,
)
