"""What leaves a node, and how often weights are gathered.

Between nodes a network is slowest, so it is the bytes of a whole node that count there. The first entry
has those of ZeRO-3, which gathers weights for both passes and scatters gradients, node by node. ZeRO++
takes three things off them: weights are quantized before the first gather, a second copy in every node
serves the gather of the backward, and gradients are quantized and go once from node to node after they
were summed inside. A second copy that several nodes share saves less, and has an entry of its own. The
last entries count how often a step of ZeRO-3 starts a collective: what is small pays for that and not
for its bytes.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.data_parallel._letters import WIDTHS
from workings.derivations.data_parallel._sources import FSDP_OVERLAP
from workings.simulate.clock import BYTES, Clock, Link
from workings.simulate.hierarchy import all_gather, reduce_in_two_hops
from workings.simulate.prefetch import units_gathered
from workings.units import BYTE, ONE
from workings.vocabulary.data_parallel import UNITS
from workings.vocabulary.layout import NODE_DEVICES, SECOND_COPY_RANKS, STATE_RANKS
from workings.vocabulary.state import HELD
from workings.vocabulary.training import MICROBATCHES

ZERO_PLUS_PLUS = Source(
    "Wang et al.",
    "ZeRO++: Extremely Efficient Collective Communication for Giant Model Training",
    2023,
    "its sections on qwZ, hpZ and qgZ and the table of cross-node traffic, 3M against 0.75M",
    "https://arxiv.org/abs/2306.10209",
)

IN_NODES = {"P": HELD, "N": STATE_RANKS, "n_node": NODE_DEVICES, "m": MICROBATCHES, **WIDTHS}
BETWEEN = Link(name="between")


def leaving_a_node(clock: Clock, n_node: int) -> Fraction:
    """The bytes that the ranks of the first node sent to other nodes."""
    return sum((clock.sent(rank, "between") for rank in range(n_node)), Fraction(0))


def gather_twice_scatter_once(P: int, N: int, n_node: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Weights gathered and gradients summed over nodes, micro-batch by micro-batch; a node's bytes."""
    only_if(N <= 24 and m <= 40)
    sent = Fraction(0)
    for _microbatch in range(m):
        for _pass in ("forward", "backward"):
            sent += leaving_a_node(all_gather(N, n_node, w * P, BYTES, BETWEEN), n_node)
        sent += leaving_a_node(reduce_in_two_hops(N, n_node, g * P, BYTES, BETWEEN), n_node)
    return sent


ZERO_3_NODE_BYTES = derivation(
    "zero-3-node-bytes",
    title="Bytes a node sends to other nodes in a step of ZeRO-3",
    phrases="cross-node traffic of ZeRO-3; 3M between nodes; inter-node volume of FSDP per node; how "
    "much leaves a server in a step of full sharding; FSDP traffic over InfiniBand of a whole node; "
    "what does a node push to the network with ZeRO stage 3",
    unit=BYTE,
    letters=IN_NODES,
    uses={
        "V_go": RING_ALL_GATHER.at(N="N/n_node", S="w*P/n_node"),
        "V_ro": RING_REDUCE_SCATTER.at(N="N/n_node", S="g*P/n_node"),
    },
    given=("n_node divides N",),
    source=ZERO_PLUS_PLUS,
    oracle=gather_twice_scatter_once,
    convention="All devices of a node together. Collectives work on two levels, so that every byte of "
    "another node's shards enters a node once. With one micro-batch and 2 bytes a value the "
    "publication's `3*M`, `M = 2*P`.",
    chain="""
    V_n3 = sum(n_node*(2*V_go + V_ro), (i, 1, m))
                                        -- two gathers, one scatter; a device has `1/n_node` of each
      = m*n_node*(2*V_go + V_ro)        -- equal micro-batches
      = m*(1 - n_node/N)*(2*w + g)*P    -- rings of `N/n_node` nodes: all but a node's own part
      <= m*(2*w + g)*P                  -- however many nodes
    """,
)


def gather_once_between_nodes(P: int, N: int, n_node: int, m: int, w: Fraction, g: Fraction) -> Fraction:
    """Gathered over all nodes, then inside one from its copy, then summed in two hops; bytes counted."""
    only_if(N <= 24 and m <= 40)
    sent = Fraction(0)
    for _microbatch in range(m):
        sent += leaving_a_node(all_gather(N, n_node, w * P, BYTES, BETWEEN), n_node)
        sent += leaving_a_node(all_gather(n_node, n_node, w * P, BYTES, BETWEEN), n_node)
        sent += leaving_a_node(reduce_in_two_hops(N, n_node, g * P, BYTES, BETWEEN), n_node)
    return sent


ZERO_PLUS_PLUS_NODE_BYTES = like(
    "zero-plus-plus-node-bytes",
    ZERO_3_NODE_BYTES,
    title="Bytes a node sends to other nodes in a step of ZeRO++",
    phrases="ZeRO++ communication volume; 0.75M cross-node traffic; qwZ plus hpZ plus qgZ bytes; "
    "quantized weights and gradients between nodes; hierarchical partitioning backward gather in the "
    "node; how much less does ZeRO++ send; 4x less inter-node communication than ZeRO",
    oracle=gather_once_between_nodes,
    convention="All devices of a node together. `w` is the width of the quantized weights of the forward "
    "gather (qwZ, 1 byte), `g` of the quantized gradients (qgZ, half a byte): then `1.5*P` bytes, the "
    "publication's `0.75*M`. The backward gathers from the node's own copy (hpZ), and sends nothing.",
    leaves_out="The scales of quantized blocks; traffic inside the nodes.",
    chain="""
    V_npp = sum(n_node*(V_go + V_ro), (i, 1, m))
                                        -- the forward's gather and the gradients; the backward stays in
      = m*n_node*(V_go + V_ro)          -- equal micro-batches
      = m*(1 - n_node/N)*(w + g)*P      -- rings of `N/n_node` nodes: all but a node's own part
      <= m*(w + g)*P                    -- however many nodes
    """,
)


def gather_from_the_second_copy(N_2: int, n_node: int, P: int, m: int, w: Fraction) -> Fraction:
    """Weights gathered over a group with a second copy, micro-batch by micro-batch; a node's bytes."""
    only_if(N_2 <= 24 and m <= 40)
    sent = Fraction(0)
    for _microbatch in range(m):
        sent += leaving_a_node(all_gather(N_2, n_node, w * P, BYTES, BETWEEN), n_node)
    return sent


HPZ_NODE_BYTES = like(
    "hpz-backward-node-bytes",
    ZERO_3_NODE_BYTES,
    title="Bytes a node sends to other nodes to gather weights for the backward from a second copy (hpZ)",
    phrases="hierarchical partitioning ZeRO, backward all-gather; zero_hpz_partition_size larger than a "
    "node; secondary partition gather traffic; cross-node traffic of the backward gather with a copy in "
    "every node; hpZ bytes between nodes; does hpZ remove inter-node all-gathers",
    letters={
        "P": HELD, "N_2": SECOND_COPY_RANKS, "n_node": NODE_DEVICES, "m": MICROBATCHES,
        "w": WIDTHS["w"],
    },
    uses={"V_go": RING_ALL_GATHER.at(N="N_2/n_node", S="w*P/n_node")},
    given=("n_node divides N_2",),
    source=ZERO_PLUS_PLUS,
    oracle=gather_from_the_second_copy,
    convention="All devices of a node together. A second copy of the weights is shared by `N_2` devices: "
    "with a copy in every node, `N_2 = n_node`, nothing leaves it.",
    leaves_out="Traffic inside the nodes; making the second copy, which the forward's gather does.",
    chain="""
    V_hpz = sum(n_node*V_go, (i, 1, m))     -- one gather for each backward; a device has `1/n_node` of it
      = m*n_node*V_go                       -- equal micro-batches
      = m*(1 - n_node/N_2)*w*P              -- rings of `N_2/n_node` nodes: all but a node's own part
    """,
)  # fmt: skip


def walk_through_the_units(U: int, m: int) -> int:
    """Units gathered when they are computed and freed after, but for the last; gathers counted."""
    only_if(U * m <= 20_000)
    return sum(units_gathered(U) for _ in range(m))


ZERO_3_GATHERS = derivation(
    "zero-3-gathers",
    title="All-gathers of a step of ZeRO-3 (FSDP)",
    phrases="how many allgathers does FSDP start per step; 2L - 1 all-gathers; number of ZeRO-3 gathers "
    "for L layers; FSDP NCCL call count; additional all-gathers of a training step with ZeRO stage 3; "
    "last block stays gathered until its backward; all_gather launches with accumulation",
    unit=ONE,
    noun="all-gathers",
    letters={"U": UNITS, "m": MICROBATCHES},
    source=FSDP_OVERLAP.at("section 3.3 (prefetching), and the playbook of Tazi et al. on ZeRO-3"),
    oracle=walk_through_the_units,
    convention="A unit is a block. Weights are freed after each pass, but for the last unit's, whose "
    "backward follows its forward.",
    leaves_out="Units outside the blocks: embedding and head, where they are units of their own.",
    chain="""
    O_g = sum(U + U - 1, (i, 1, m))     -- each unit forward, each backward, but the last is still there
      = m*(2*U - 1)                     -- equal micro-batches
      <= 2*m*U                          -- one less for each micro-batch
    """,
)


def walk_and_scatter(U: int, m: int) -> int:
    """The gathers of a step, and a scatter after each unit's backward, one by one."""
    scatters = sum(1 for _microbatch in range(m) for _unit in range(U))
    return walk_through_the_units(U, m) + scatters


ZERO_3_COLLECTIVES = like(
    "zero-3-collectives",
    ZERO_3_GATHERS,
    title="Collectives of a step of ZeRO-3 (FSDP): all-gathers and reduce-scatters",
    phrases="how many collectives does FSDP launch per step; 3L - 1 collectives; all-gathers plus "
    "reduce-scatters of ZeRO-3; NCCL launches per iteration of full sharding; reduce-scatter count per "
    "step; number of messages that pay latency in FSDP",
    noun="collectives",
    uses={"O_g": ZERO_3_GATHERS.at()},
    oracle=walk_and_scatter,
    convention="A unit is a block, scattered after its backward. Each starts `N - 1` hops on a ring.",
    chain="""
    O_z3 = O_g + sum(U, (i, 1, m))      -- the gathers, and a scatter of each unit's gradient
      = m*(3*U - 1)                     -- three a unit, but one gather less
    """,
)
