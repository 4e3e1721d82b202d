"""How long a step takes."""

from workings.planning.cost.stages import most_of
from workings.planning.statement import say
from workings.units import BYTE, ONE, SECOND

STEP = (
    say("T_max", "slowest stage, a micro-batch forward and backward", SECOND,
        "(1 - x_bi)*max(L_first*T_blk + (1 - x_p)*T_head, L_mid*T_blk, L_last*T_blk + T_head)"
        " + x_bi*max(((L_first + L_last)*T_blk + T_head)/2, L_mid*T_blk)"),
    say("T_all", "all stages, one micro-batch", SECOND, "L*T_blk + T_head"),
    say("T_work", "the slowest stage at work", SECOND, "m*T_max"),
    say("T_F", "forward of a stage, in the mean", SECOND,
        "(L*(T_fwd + T_link/2 + T_rest/3) + T_head/3)/p"),
    say("T_W", "gradients of a stage's weights, in the mean", SECOND, "(L*T_grad + T_head/3)/p"),
    say("T_B", "the rest of its backward", SECOND, "T_all/p - T_F - T_W"),
    say("B_one", "the bubble of 1F1B, with several chunks interleaved", SECOND, "(T_all - T_max)/v",
        entry="uneven-stages-time"),
    say("B_zb", "the bubble where gradients of weights fill it", SECOND,
        "(p - 1)*max(0, T_F + T_B - T_W)", entry="zb-h1-bubble"),
    say("B_bi", "the bubble where micro-batches come from both ends", SECOND,
        "max(0, (p/2 - 1)*(T_max + max(T_F, T_B) - 2*T_W))", entry="dualpipe-bubble"),
    say("T_idle", "the bubble: filling and draining the pipeline", SECOND,
        "(1 - x_zb - x_bi)*B_one + x_zb*B_zb + x_bi*B_bi"),
    say("x_net", "share of a block's time in which its own traffic occupies the network", ONE,
        "(q_t*T_t + q_c*V_c/W_c + q_e*T_ea + q_te*T_et)/T_blk"),
    say("i_top", "micro-batches in flight on a stage between, or else on the first", ONE,
        "x_mid*i_mid + (1 - x_mid)*i_first", entry="in-flight-1f1b"),
    say("m_end", "micro-batches after whose backwards, of a piece, all its gradients are there", ONE,
        "1 + (1 - x_each)*x_v*(min(m, p) - 1)",
        assumes="a rank of several chunks works through the last of a chunk, min(m, p), in a row"),
    say("T_hide", "compute that a step's data-parallel traffic may hide behind", SECOND,
        "h_d*max(0, 1 - x_net)*((2 + z_1)/3*m_end*(1 - (1 - z_3)/n_b)"
        " + x_each*(m - 1) - (x_each - z_3)*(i_top - 1)/3)*T_max",
        assumes="a backward takes two thirds of a micro-batch; gradients of a piece are sent while those "
        "of the next are computed, of sharded ones from the first backward on, which the forwards of the "
        "micro-batches in flight precede; those hide gathered weights alone; while a block waits for its "
        "own traffic between nodes, no other is sent"),
    say("T_sync", "gradients and weights that compute does not hide", SECOND,
        "max(T_ends, T_d - T_hide)", entry="ddp-exposed-time"),
    say("P_own", "parameters that a rank's optimizer updates", ONE,
        most_of("P_{}/n_o + E_{}/n_oe")),
    say("B_opt", "read and written to update one: gradient, weight, and the state twice", BYTE,
        "w_g + w_c + 2*(w_p + 2*w_o)", assumes="an optimizer reads and writes its state once"),
    say("T_off", "the host's part: gradients fetched, its optimizer, weights returned", SECOND,
        "x_off*P_own*((w_g + w_c)/W_h + B_opt/W_hm)",
        assumes="the host's copies and its optimizer follow one another"),
    say("T_opt", "the optimizer's step", SECOND, "(1 - x_off)*P_own*B_opt/(eta_m*W_m) + T_off"),
    say("T_step", "a step", SECOND, "T_work + T_idle + T_send + T_sync + T_opt", entry="step-time"),
    say("x_idle", "idle share of a step's pipeline", ONE, "T_idle/(T_work + T_idle)",
        entry="interleaved-bubble-total"),
)  # fmt: skip
