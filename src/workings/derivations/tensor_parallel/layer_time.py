"""How long a layer's transfers take.

The bytes of a layer over the link inside a node are a time, to which every hop adds its start-up
latency; a group that leaves its node slows down by as much as its network cards together are slower
than that link. Held against the time of the layer's products, transfers weigh more with every rank,
since compute shrinks and the bytes do not. Tokens cancel in that ratio, so only wider layers or faster
links help. Solved for the ranks it gives the degree up to which transfers can hide, for a layer and for
a feed-forward alone, in a node and over several. Compute is at its peak, links run at full speed, and
rings are counted exactly.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives.hierarchical import HIERARCHICAL_ALL_REDUCE_BETWEEN
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import LAYER, SPEEDS, SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_VOLUME, SCALING_BOOK_GPU_TP
from workings.derivations.tensor_parallel._work import feed_forward_flops, forward_flops
from workings.derivations.tensor_parallel.layer_bytes import TP_FORWARD_BYTES, TP_LAYER_BYTES
from workings.derivations.tensor_parallel.shares import TP_LAYER_FLOPS
from workings.simulate import hierarchy
from workings.simulate.clock import Clock, Link
from workings.simulate.node_rings import all_gather_time
from workings.simulate.ring import all_reduce
from workings.simulate.tensor_layer import Options
from workings.units import ONE, SECOND
from workings.vocabulary.hardware import COMPUTE, LATENCY, LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.kinds import DENSE_BLOCKS, WITHOUT_EXPERTS
from workings.vocabulary.layout import NODE_DEVICES, TP
from workings.vocabulary.model import D_FF, FFN_MATRICES
from workings.vocabulary.tensor_parallel import NODE_RINGS

MOST_RANKS, MOST_FFN_RANKS = 30, 60  # in a layer, in a feed-forward: beyond these an oracle takes long


def send_collective_by_collective(a: Fraction, W_1: Fraction, **sizes: int) -> Fraction:
    """The layer's collectives one after another over a rank's link; when the last byte has left."""
    ranks = run(**sizes, options=Options())
    clock, link = Clock(), Link(bandwidth=W_1)
    for op in ranks.collectives():
        clock.send(link, 0, 1, op.sent * a)
    return clock.finish


TP_LAYER_TIME = derivation(
    "tp-layer-time",
    title="Time of one layer's tensor-parallel transfers inside a node",
    phrases="TP comm duration per layer over NVLink; four all-reduces in seconds intra-node; how long "
    "do TP allreduces take on NVLink; time cards spend exchanging in a sliced layer; TP comm ms per "
    "layer; NVLink time per layer for TP8",
    unit=SECOND,
    letters={**SPLIT_ACTIVATION, "W_1": LINK_ONE_WAY},
    uses={"V_TP": TP_LAYER_BYTES.at()},
    given=("c divides s",),
    source=MEGATRON_VOLUME,
    oracle=send_collective_by_collective,
    convention="One micro-batch, forward and backward; the link runs at its full one-way speed.",
    leaves_out="Start-up latency, and what runs beside the transfers.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-layer-time"},
    chain="""
    T_TP = V_TP/W_1                               -- bytes a rank sends over its link
      = 8*(t - 1)/t*(a*b_m*s*D/(c*W_1))           -- four all-reduces
      <= 8*a*b_m*s*D/(c*W_1)                      -- `t - 1 < t`
    """,
)


def count_every_hop(t: int, alpha: Fraction) -> Fraction:
    """A layer run on split weights; the latency of every hop of its collectives added up."""
    return run(t, 1, 2, 1, 2, Options()).hops() * alpha


TP_LAYER_LATENCY = derivation(
    "tp-layer-latency",
    title="Start-up latency of one layer's tensor-parallel transfers",
    phrases="TP latency term per layer; 8(t-1)α; TP allreduce latency at small batch; alpha cost of TP "
    "collectives per layer; microseconds of launch latency from TP; fixed delay of TP allreduces",
    unit=SECOND,
    letters={"t": TP, "alpha": LATENCY},
    source=MEGATRON_VOLUME,
    oracle=count_every_hop,
    convention="Ring all-reduces, forward and backward; sequence parallelism has as many hops. Does not "
    "depend on the size of the model or of the micro-batch.",
    leaves_out="The transfer of the bytes.",
    chain="""
    T_hops = sum(2*(t - 1)*alpha, (i, 1, 4))     -- four all-reduces of `2*(t - 1)` hops
      = 8*(t - 1)*alpha                          -- equal all-reduces
    """,
)


def run_rings_over_two_nodes(n_ring: int, W_1: Fraction, W_2: Fraction) -> Fraction:
    """A group on two nodes and one on a single node; the busiest link of each, over the other's."""
    per_node = n_ring + n_ring % 2
    across = all_gather_time(2, per_node, n_ring, Fraction(1), W_1, W_2)
    return across / all_gather_time(1, 2 * per_node, 1, Fraction(1), W_1, W_2)


TP_BETWEEN_NODES = derivation(
    "tp-between-nodes",
    title="Slowdown of tensor-parallel transfers whose group leaves its node",
    phrases="TP across nodes slowdown; NVLink to IB penalty for TP; what if tensor slices span two "
    "machines; why TP should stay in a node; cross-node tensor parallel bad; TP16 over InfiniBand; "
    "NVLink versus IB ratio for TP; why not use TP between nodes",
    unit=ONE,
    letters={"n_ring": NODE_RINGS, "W_1": LINK_ONE_WAY, "W_2": NETWORK_ONE_WAY},
    given=("W_1 > n_ring*W_2",),
    source=SCALING_BOOK_GPU_TP.at("part 12, “Cross-node collectives”"),
    oracle=run_rings_over_two_nodes,
    convention="The group fills whole nodes; its message is shared evenly by `n_ring` rings, each of "
    "which leaves a node over a network card of its own. One ring: `W_1/W_2`.",
    leaves_out="Latency, which is longer between nodes; other traffic on the network; reductions inside "
    "switches.",
    chain="""
    r_net = 1/(n_ring*W_2)/(1/W_1)       -- seconds a byte on the network cards together, and inside
      = W_1/(n_ring*W_2)                 -- divide
    """,
)


def time_sums_and_products(a: Fraction, C: Fraction, W_1: Fraction, **sizes: int) -> Fraction:
    """Every product of a rank and both its sums, each counted and divided by its speed."""
    flops = forward_flops(**sizes)
    activation = a * sizes["b_m"] * (sizes["s"] // sizes["c"]) * sizes["D"]
    return 2 * all_reduce(sizes["t"], activation).sent[0] / W_1 / (flops / C)


TP_COMM_RATIO = derivation(
    "tp-comm-ratio",
    title="Tensor-parallel transfers over compute, in a layer's forward pass",
    phrases="TP comm over compute dense layer forward; comm-to-compute ratio; TP overhead versus GEMM "
    "time; how much slower does TP make a layer; fraction of time TP spends talking; fraction of "
    "forward spent in TP allreduce; communication to computation ratio of TP; fraction of forward lost "
    "to TP",
    unit=ONE,
    letters={**LAYER, **SPLIT_ACTIVATION, **SPEEDS},
    uses={"V_fwd": TP_FORWARD_BYTES.at(), "f_TP": TP_LAYER_FLOPS.at()},
    source=SCALING_BOOK_GPU_TP,
    oracle=time_sums_and_products,
    convention="Forward; inside a node; peak compute and full link speed; full attention. Forward and "
    "backward together the ratio is 2/3 of this: twice the bytes, three times the FLOPs.",
    leaves_out="Start-up latency; what runs beside the transfers.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-comm-ratio"},
    chain="""
    x_TP = (V_fwd/W_1)/(f_TP/C)               -- time of the transfers over time of the products
      = 4*(t - 1)/t*(a*b_m*s*D/c)*C/(W_1*(b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K)
        + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)))    -- put both in
      = 4*(t - 1)*a*C*D/(W_1*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F))
                                              -- tokens cancel: more of them do not help
    """,
)


def race_sums_against_products(t: int, **letters: Any) -> bool:
    """Every product of a rank and both its sums, counted; which of the two takes longer."""
    only_if(t <= MOST_RANKS)
    return time_sums_and_products(t=t, **letters) < 1


TP_DEGREE_LIMIT = like(
    "tp-degree-limit",
    TP_COMM_RATIO,
    title="Ranks up to which a layer's tensor-parallel transfers can hide behind its compute",
    phrases="max TP size before comm-bound dense layer; TP scaling limit; when does TP stop helping; "
    "how many cards can slice a layer efficiently; largest useful tensor_model_parallel_size; TP 8 or "
    "16 compute-bound; how high can TP go; TP roofline limit",
    noun="devices",
    oracle=race_sums_against_products,
    convention="Forward (backward there is twice the compute for the same bytes); inside a node; peak "
    "compute and full link speed; exact rings; full attention.",
    leaves_out="Start-up latency; that most products need the transfer's result, so that it hides only "
    "where both are cut into chunks.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-degree-limit"},
    chain="""
    f_TP/C > V_fwd/W_1                        -- compute outlasts both all-reduces
      <=> b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)/C >
          4*(t - 1)/t*(a*b_m*s*D/c)/W_1       -- put both in
      <=> t < 1 + W_1/(4*a*C*D)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)
                                              -- multiply by `c*t/(b_m*s)`, solve for `t`
    """,
)


def race_the_feed_forward(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int, n_f: int, C: Fraction, W_1: Fraction
) -> bool:
    """A rank's products in the feed-forward against the sum of its output, both counted."""
    only_if(s % c == 0 and t <= MOST_FFN_RANKS)
    rows = b_m * s // c
    return feed_forward_flops(t, rows, D, F, n_f) / C > all_reduce(t, a * rows * D).sent[0] / W_1


TP_FFN_DEGREE_LIMIT = like(
    "tp-ffn-degree-limit",
    TP_DEGREE_LIMIT,
    title="Ranks up to which a feed-forward's all-reduce can hide behind its compute",
    phrases="max TP size for the MLP alone; t < F W/C; d_ff over arithmetic intensity TP bound; Y < "
    "F/(C/W) rule; scaling book tensor parallel limit; when is MLP slicing communication-bound; how "
    "many ways can d_ff be split",
    letters={**SPLIT_ACTIVATION, "F": D_FF, "n_f": FFN_MATRICES, **SPEEDS},
    uses={"V_AR": RING_ALL_REDUCE.at(N="t", S="a*b_m*s*D/c")},
    oracle=race_the_feed_forward,
    convention="Forward; inside a node; exact ring. For a large ring, two matrices and `a` of 2 bytes it "
    "reads `t < F*W_1/C`.",
    leaves_out="Start-up latency.",
    holds_for={DENSE_BLOCKS: "expert-tp-degree-limit"},
    chain="""
    n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > V_AR/W_1      -- `n_f` products outlast one all-reduce
      <=> n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > 2*(t - 1)/t*(a*b_m*s*D/c)/W_1   -- put it in
      <=> t < 1 + 2[FLOP]*n_f*F*W_1/(2*a*C)           -- multiply by `c*t/(b_m*s*D)`, solve for `t`
    """,
)


def race_the_feed_forward_over_nodes(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int, n_f: int, n_node: int, C: Fraction,
    W_2: Fraction,
) -> bool:  # fmt: skip
    """A rank's products in the feed-forward against what it sends to other nodes, both counted."""
    only_if(s % c == 0 and t <= MOST_RANKS)
    rows = b_m * s // c
    inside, between = Link(name="inside"), Link(name="between")
    sent = hierarchy.all_reduce(t, n_node, a * rows * D, inside, between).sent(0, "between")
    return feed_forward_flops(t, rows, D, F, n_f) / C > sent / W_2


TP_NODES_FFN_WIDTH = derivation(
    "tp-nodes-ffn-width",
    title="Feed-forward width from which tensor parallelism over several nodes hides its all-reduce",
    phrases="d_ff needed for TP across two nodes; F > C/W (Y - 8); cross-node tensor parallel "
    "compute-bound condition; TP16 over InfiniBand wide enough MLP; hidden width to hide scale-out TP; "
    "can a wide feed-forward be sliced over two DGX",
    unit=ONE,
    noun="values",
    letters={
        **SPLIT_ACTIVATION, "F": D_FF, "n_f": FFN_MATRICES, "n_node": NODE_DEVICES, "C": COMPUTE,
        "W_2": NETWORK_ONE_WAY,
    },
    uses={"V_ho": HIERARCHICAL_ALL_REDUCE_BETWEEN.at(N="t", S="a*b_m*s*D/c")},
    given=("n_node divides t",),
    source=SCALING_BOOK_GPU_TP.at("part 12, “Tensor Parallelism”, on groups of two nodes"),
    oracle=race_the_feed_forward_over_nodes,
    convention="Forward; the group fills whole nodes, and its all-reduce works on two levels, of which "
    "the network is taken to be the slower. The node's egress is `n_node*W_2`; two matrices and `a` of "
    "2 bytes: `F > C/(n_node*W_2)*(t - n_node)`.",
    leaves_out="Start-up latency, and what is sent inside the nodes.",
    holds_for={DENSE_BLOCKS: ""},
    chain="""
    n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > V_ho/W_2      -- `n_f` products outlast the network's part
      <=> n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > 2*(1 - n_node/t)*(a*b_m*s*D/c)/n_node/W_2   -- put it in
      <=> F > (t - n_node)*2*a*C/(2[FLOP]*n_f*n_node*W_2)      -- multiply by `c*t/(b_m*s*D)`
    """,
)  # fmt: skip


TP_NODES_DEGREE_LIMIT = like(
    "tp-nodes-degree-limit",
    TP_NODES_FFN_WIDTH,
    title="Ranks up to which a feed-forward's all-reduce over several nodes can hide",
    phrases="largest cross-node TP degree; TP limit when the group spans nodes; up to 19 way tensor "
    "parallelism; how far can slicing go beyond one node; TP over two nodes limit from d_ff; max TP with "
    "InfiniBand between halves of the group",
    noun="devices",
    chain="""
    n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > V_ho/W_2      -- `n_f` products outlast the network's part
      <=> n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > 2*(1 - n_node/t)*(a*b_m*s*D/c)/n_node/W_2   -- put it in
      <=> t < n_node + 2[FLOP]*n_f*F*n_node*W_2/(2*a*C)        -- solve for the ranks
    """,
)
