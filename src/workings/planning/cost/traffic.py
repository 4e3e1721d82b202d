"""What a rank sends in a step, over which link, and how long that takes."""

from collections.abc import Iterator

from workings.planning.cost.again import SENT_AGAIN
from workings.planning.statement import Statement, say, switch
from workings.units import BYTE, ONE, SECOND


def _link(
    axis: str,
    size: str,
    stride: str,
    words: str,
    kind: str = "ring",
    *,
    span: str = "",
    members: str = "",
    fewer: str = "",
) -> Iterator[Statement]:
    """The bandwidth of a group: that of the narrowest tier it crosses, each at its own efficiency.

    A group lies within `span` ranks, `size` strides if nothing else is said. Of a node's devices
    `n_node/stride` (or `members`, where the node is called `place`) belong to one group, each with a
    port of its own, and all groups of the axis use the ports at once. A ring enters and leaves a node
    once, so it gets all these ports. In an all-to-all each rank sends its own bytes through its own
    port, but for those that stay in the node; `fewer` is how many times less leaves it than that, as
    what several receive there is sent once. Pods are alike.
    """
    span = span or f"{size}*{stride}"
    groups = f"n_node/({span})"  # in a node: a whole number where none crosses its edge
    yield switch(f"q_{axis}", f"1 where {words} leave a node",
                 f"min(1, {size} - 1, ceil(n/n_node) - 1, ceil({groups}) - floor({groups}))")  # fmt: skip
    yield switch(f"y_{axis}", f"1 where {words} leave a pod",
                 f"min(1, {size} - 1, floor(({span})/(n_pod + 1)))")  # fmt: skip
    members = members or f"floor(place/({stride}))"
    here = {tier: f"max(1, {members.replace('place', tier)})" for tier in ("n_node", "n_pod")}
    gain = {
        "ring": here,
        "all-to-all": {t: f"({size} - 1)/max(1, {size} - {here[t]})" for t in here},
    }[kind]
    gain = {tier: f"{times}*{fewer}" if fewer else times for tier, times in gain.items()}
    yield say(f"W_{axis}", f"one-way bandwidth of a rank among {words}", BYTE / SECOND,
              f"min(eta_1*W_1, (1 - q_{axis})*eta_1*W_1 + q_{axis}*{gain['n_node']}*eta_2*W_2,"
              f" (1 - y_{axis})*eta_1*W_1 + y_{axis}*{gain['n_pod']}*eta_2*W_3)",
              entry="slowest-tier-bandwidth")  # fmt: skip


def _hops(axis: str, size: str, least: str) -> Iterator[Statement]:
    """How often a ring goes from node to node on its way, and what its starts of messages take.

    A part goes round by `size - 1` hops, as many of them between nodes as there are nodes but one; a ring
    that leaves its node does so once at `least`, unless it is one of several in a group.
    """
    members = f"max(1, {_MEMBERS[axis].replace('place', 'n_node')})"
    what = {"d": "ranks that share the dense state", "x": "copies of an expert"}[axis]
    yield say(f"j_{axis}", f"hops between nodes, round a ring of {what}", ONE,
              f"q_{axis}*max(floor({least}), ceil({size}/{members}) - 1)")  # fmt: skip
    yield say(f"tau_{axis}", f"starts of messages of one gather or reduction by {what}", SECOND,
              f"({size} - 1 - j_{axis})*alpha_1 + j_{axis}*alpha_2",
              entry="ring-all-gather-time",
              assumes="a ring through all ranks, as NCCL has; a torus has fewer hops")  # fmt: skip
    yield say(f"tau_a{axis}", f"starts of messages of one all-reduce by {what}", SECOND,
              f"2*((ceil({size}/(1 + j_{axis})) - 1)*alpha_1 + ceil(log2(1 + j_{axis}))*alpha_2)",
              entry="tree-all-reduce-time",
              assumes="a chain in each node and a tree of nodes, as NCCL over many nodes")  # fmt: skip


def _crossing(letter: str, place: str, size: str) -> Iterator[Statement]:
    """How many of a pipeline's boundaries leave a node or a pod, on the way through all its chunks.

    The ranks of a pipeline are one stride apart, so along the `p*sigma_p` ranks that it lies within
    each node is left once, and never more than once at a boundary. With several chunks the way goes
    through all ranks `v` times, and `v - 1` times back from the last to the first.
    """
    groups = f"{size}/(p*sigma_p)"
    yield switch(f"{letter}_p", f"1 where a boundary between stages leaves a {place}",
                 f"min(1, p - 1, ceil(n/{size}) - 1, ceil({groups}) - floor({groups}))")  # fmt: skip
    left = f"min(p - 1, max({letter}_p, ceil(p*sigma_p/{size}) - 1))"
    yield say(f"x_{letter}", f"share of the boundaries between chunks that leave a {place}", ONE,
              f"(v*{left} + (v - 1)*{letter}_p)/max(1, p*v - 1)",
              assumes=f"stages lie in the order of ranks, and a pipeline starts with a {place} or "
              f"with others fills one")  # fmt: skip


# Replicas and context-parallel ranks reduce gradients together. Where stages vary faster than
# replicas, those of one replica stand together, and the next replica's follow after all its stages.
# Under DualPipe the ranks of a stage's mirror image share with them: at the ends of a pipeline they lie
# farthest, in a node only where it holds whole pipelines.
_PIPELINES = "(1 + x_bi*min(1, floor(place/sigma_d)))*max(1, floor(place/sigma_d))"
_GRADIENTS = f"o_d*min(floor(place/t), d*c) + (1 - o_d)*min(floor(place/t), c)*{_PIPELINES}"
_MEMBERS = {"d": _GRADIENTS, "x": "min(floor(place/sigma_x), d_e/(1 + x_bi))*(1 + x_bi*(1 - o_d))"}

TRAFFIC = (
    say("sigma_d", "ranks from one replica to the next", ONE, "t*c*(o_d + (1 - o_d)*p)",
        entry="data-stride"),
    say("sigma_p", "ranks from one pipeline stage to the next", ONE, "t*c*(o_d*d + 1 - o_d)",
        entry="pipeline-stride"),
    *_link("t", "t", "1", "tensor-parallel groups"),
    *_link("c", "c", "t", "context-parallel groups"),
    *_link("e", "e", "t_e", "expert-parallel groups", "all-to-all",
           fewer="max(1, min(1, k_nod)*k_E/max(1, min(k_nod, ceil(e*t_e/n_node))))"),
    *_link("te", "t_e", "1", "ranks that split an expert"),
    *_link("d", "(1 + x_bi)*d*c", "t", "data-parallel groups",
           span="t*c*d*(1 + max(x_bi, (1 - o_d)*min(1, d - 1))*(p - 1))", members=_MEMBERS["d"]),
    say("sigma_x", "ranks from one copy of an expert to the next", ONE, "t_e*e*(o_d + (1 - o_d)*p)"),
    *_link("x", "d_e", "sigma_x", "copies of an expert",
           span="(1 - x_bi)*d_e*sigma_x + x_bi*n", members=_MEMBERS["x"]),
    *_hops("d", "N", "1/n_r"),
    *_hops("x", "d_e", "1"),
    # Between stages each rank sends through its own port of the node. All ports of a pod serve those of
    # its ranks whose next stage lies in another: one stage's ranks, or all where a stage fills the pod.
    *_crossing("q", "node", "n_node"),
    *_crossing("y", "pod", "n_pod"),
    say("W_q", "one-way bandwidth of a rank to a stage in another node", BYTE / SECOND,
        "min(eta_1*W_1, eta_2*W_2)", entry="slowest-tier-bandwidth"),
    say("W_y", "one-way bandwidth of a rank to a stage in another pod", BYTE / SECOND,
        "min(W_q, max(1, n_pod/sigma_p)*eta_2*W_3)", entry="slowest-tier-bandwidth",
        assumes="pods hold whole pipelines, or pipelines whole pods, where stages vary faster than "
        "replicas: a pod whose edge cuts two pipelines sends for both"),
    say("W_p", "one-way bandwidth of a rank to the next stage, the harmonic mean over boundaries",
        BYTE / SECOND, "1/((1 - x_q)/(eta_1*W_1) + (x_q - x_y)/W_q + x_y/W_y)"),
    # A block and a micro-batch, forward and backward.
    switch("z_q", "1 where queries come from a latent", "min(1, r_q)"),
    say("D_a", "values of a token that attention's heads start from: its input, or its latents", ONE,
        "(1 - z_q)*D + r_q + r_kv + d_r"),
    # With sequence parallelism a rank routes its own part of the tokens (Megatron-LM's
    # token_dispatcher.py), so nothing is gathered for routed experts. A dense feed-forward needs all
    # tokens, as do shared experts.
    say("x_R", "share of blocks with routed experts alone, to which each rank sends its own tokens", ONE,
        "z_s*x_E*(1 - min(1, E_s))"),
    *SENT_AGAIN,
    say("n_t", "gathers and reductions of a block's tokens among tensor-parallel ranks", ONE,
        "(1 + z_h - x_R)*(4 + 2*R_f + z_s) + (1 - R_f)*n_part",
        entry="sp-regather-layer-bytes"),
    say("V_t", "tensor parallelism: gathers and reductions of a block", BYTE,
        "(n_t*D - (2 + z_s*(1 + R_f + (1 - R_f)*x_qkv))*(D - D_a))*(t - 1)/t*a*T_r",
        entry="tp-layer-bytes"),
    say("T_t", "time of a block's tensor-parallel traffic, with the starts of messages", SECOND,
        "(1 - h_t)*(V_t/W_t + n_t*(t - 1)*((1 - q_t)*alpha_1 + q_t*alpha_2))", entry="tp-layer-time"),
    say("V_c", "context parallelism: keys and values gathered, their gradients reduced", BYTE,
        "z_h*(c - 1)*T_r*max(K/t, 1)*(d_qk + d_vo)*(3 + R_f + (1 - R_f)*r_ctx)*a",
        entry="gather-kv-layer-bytes"),
    say("V_e", "expert parallelism: tokens sent and fetched", BYTE,
        "x_E*n_x*lambda*(e - 1)/e*k_E*T_r*D*(a + w_dsp)/2/t_s", entry="expert-all-to-all",
        assumes="each expert of a token gets a copy, though one a node may cross the network; half of "
        "the times tokens go to experts; all wait for the rank that gets most of them"),
    say("T_ea", "time of a block's all-to-alls, with the starts of messages", SECOND,
        "V_e/W_e + x_E*n_x*(e - 1)*((1 - q_e)*alpha_1 + q_e*alpha_2)", entry="all-to-all-time"),
    say("V_te", "experts split over ranks: copies of tokens gathered, outputs reduced", BYTE,
        "x_E*n_x*lambda*k_E*(t_x - 1)*T_r*D*a/t_s", entry="ring-all-gather",
        assumes="each gathers what the others were sent, and outputs are reduced the same way back, as "
        "in Megatron-LM"),
    say("T_et", "time of split experts' gathers and reductions, with the starts of messages", SECOND,
        "V_te/W_te + x_E*n_x*(t_x - 1)*((1 - q_te)*alpha_1 + q_te*alpha_2)",
        entry="ring-all-gather-time"),
    # A step.
    say("T_hop", "a boundary's activations to the next stage, in the mean over boundaries", SECOND,
        "x_q*alpha_2 + (1 - x_q)*alpha_1 + a*T_r*D/(t*W_p)", entry="pp-message-time"),
    say("T_far", "the slowest boundary's activations to the next stage", SECOND,
        "q_p*alpha_2 + (1 - q_p)*alpha_1 + a*T_r*D/t*max(1/(eta_1*W_1), q_p/W_q, y_p/W_y)",
        entry="pp-message-time"),
    say("T_send", "sends of the pipeline that are waited for", SECOND,
        "(1 - h_p)*2*((p*v - 1)*T_hop"
        " + (1 - x_v)*max(T_hop*floor((m - 1)*(p - 1)/p), x_p*T_far*floor((m - 1)/2)))",
        entry="one-f-one-b-exposed-sending",
        assumes="with several chunks a rank has other work while it waits, but for filling and draining; "
        "with one, p micro-batches wait for every boundary or, if that is more, two for the slowest"),
)  # fmt: skip
