"""What a rank sends in a step, over which link, and how long that takes."""

from collections.abc import Iterator

from workings.planning.statement import Statement, say, switch
from workings.units import BYTE, ONE, SECOND


def _link(axis: str, size: str, stride: str, words: str, kind: str = "ring") -> Iterator[Statement]:
    """The bandwidth of a group: that of the narrowest tier it crosses.

    Of a node's devices `n_node/stride` belong to one group, each with a port of its own, and all
    groups of the axis use the ports at once. A ring enters and leaves a node once, so it gets all
    these ports. In an all-to-all each rank sends its own bytes through its own port, but for those
    that stay in the node. A boundary between stages has one sender a message. Pods are alike.
    """
    groups = f"n_node/({size}*{stride})"  # in a node: a whole number where none crosses its edge
    yield switch(f"q_{axis}", f"1 where {words} leave a node",
                 f"min(1, {size} - 1, ceil(n/n_node) - 1, ceil({groups}) - floor({groups}))")  # fmt: skip
    yield switch(f"y_{axis}", f"1 where {words} leave a pod",
                 f"min(1, {size} - 1, floor({size}*{stride}/(n_pod + 1)))")  # fmt: skip
    here = {tier: f"max(1, floor({tier}/({stride})))" for tier in ("n_node", "n_pod")}
    gain = {
        "ring": here,
        "all-to-all": {t: f"({size} - 1)/max(1, {size} - {here[t]})" for t in here},
        "boundary": {"n_node": "1", "n_pod": here["n_pod"]},
    }[kind]
    yield say(f"W_{axis}", f"one-way bandwidth of a rank among {words}", BYTE / SECOND,
              f"eta_w*min(W_1, (1 - q_{axis})*W_1 + q_{axis}*{gain['n_node']}*W_2,"
              f" (1 - y_{axis})*W_1 + y_{axis}*{gain['n_pod']}*W_3)",
              entry="slowest-tier-bandwidth")  # fmt: skip


TRAFFIC = (
    *_link("t", "t", "1", "tensor-parallel groups"),
    *_link("c", "c", "t", "context-parallel groups"),
    *_link("e", "e", "t_e", "expert-parallel groups", "all-to-all"),
    *_link("d", "d*c", "t", "data-parallel groups"),
    *_link("x", "d_e", "t_e*e", "copies of an expert"),
    *_link("p", "p", "t*c*d", "pipeline neighbours", "boundary"),
    # A block and a micro-batch, forward and backward.
    switch("z_q", "1 where queries come from a latent", "min(1, r_q)"),
    say("D_a", "values of a token that attention's heads start from: its input, or its latents", ONE,
        "(1 - z_q)*D + r_q + r_kv + d_r"),
    say("V_t", "tensor parallelism: gathers and reductions of a block", BYTE,
        "((8 + 4*z_f + 2*z_s)*D - (2 + z_s*(1 + z_f))*(D - D_a))*(t - 1)/t*a*T_r",
        entry="tp-layer-bytes"),
    say("T_t", "time of a block's tensor-parallel traffic, with the starts of messages", SECOND,
        "(1 - h_t)*(V_t/W_t + (8 + 4*z_f + 2*z_s)*(t - 1)*((1 - q_t)*alpha_1 + q_t*alpha_2))",
        entry="tp-layer-time"),
    say("V_c", "context parallelism: keys and values gathered, their gradients reduced", BYTE,
        "z_h*(c - 1)*T_r*max(K/t, 1)*(d_qk + d_vo)*((2 + z_f)*a + g)", entry="gather-kv-layer-bytes"),
    say("V_e", "expert parallelism: tokens sent and fetched", BYTE,
        "x_E*(4 + 2*z_f)*lambda*(e - 1)/e*k_E*T_r*D*a/t", entry="expert-all-to-all"),
    say("T_link", "exposed traffic of a block and micro-batch", SECOND, "T_t + V_c/W_c + V_e/W_e"),
    # A step.
    say("T_hop", "a boundary's activations to the next stage", SECOND,
        "q_p*alpha_2 + (1 - q_p)*alpha_1 + a*T_r*D/(t*W_p)", entry="pp-message-time"),
    say("T_send", "sends of the pipeline that are waited for", SECOND,
        "(1 - h_p)*2*T_hop*((1 - x_v)*(p - 1 + floor((m - 1)*(p - 1)/p)) + x_v*(p*v - 1))",
        entry="one-f-one-b-exposed-sending",
        assumes="with several chunks a rank has other work while it waits, but for filling and draining"),
    say("w_sync", "bytes a parameter that a ring moves in a step", BYTE,
        "2*g*(1 - z_1) + z_1*(1 - z_3)*w + z_1*(1 - z_2)*g + (z_2 - z_3)*m*g + z_3*m*(2*w + g)",
        entry="zero-3-step-bytes"),
    say("P_top", "dense parameters of the fullest rank", ONE, "max(P_first, P_mid, P_last)",
        entry="fullest-stage-parameters"),
    say("E_top", "expert parameters of the fullest rank", ONE, "max(E_first, E_mid, E_last)"),
    say("V_d", "gradients reduced and weights gathered, dense part", BYTE,
        "(N - 1)/N*w_sync*P_top + 2*(n_r - 1)/(n_r*N)*g*P_top", entry="zero-1-step-bytes"),
    say("V_x", "gradients reduced and weights gathered, experts", BYTE, "(d_e - 1)/d_e*w_sync*E_top",
        entry="expert-gradient-bytes"),
    say("T_d", "time of a step's data-parallel traffic", SECOND, "V_d/W_d + V_x/W_x"),
)  # fmt: skip
