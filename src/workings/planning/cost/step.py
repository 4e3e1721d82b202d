"""How long a step takes."""

from workings.planning.statement import say
from workings.units import ONE, SECOND

STEP = (
    say("T_max", "slowest stage, a micro-batch forward and backward", SECOND,
        "max(L_first*T_blk + (1 - x_p)*T_head, L_mid*T_blk, L_last*T_blk + T_head)"),
    say("T_all", "all stages, one micro-batch", SECOND, "L*T_blk + T_head"),
    say("T_work", "the slowest stage at work", SECOND, "m*T_max"),
    say("T_idle", "the bubble: filling and draining the pipeline", SECOND, "(T_all - T_max)/v",
        entry="uneven-stages-time"),
    say("T_hide", "compute that a step's data-parallel traffic may hide behind", SECOND,
        "h_d*(1 + max(z_2, z_3)*(m - 1))*T_max"),
    say("T_sync", "gradients and weights that compute does not hide", SECOND,
        "max(0, T_d - T_hide)", entry="ddp-exposed-time"),
    say("T_opt", "the optimizer's step", SECOND,
        "(w_g + w_c + 2*(w_p + 2*w_o))*(P_top/n_o + E_top/n_oe)/(eta_m*W_m)",
        assumes="its state is read and written once"),
    say("T_step", "a step", SECOND, "T_work + T_idle + T_send + T_sync + T_opt", entry="step-time"),
    say("x_idle", "idle share of a step's pipeline", ONE, "T_idle/(T_work + T_idle)",
        entry="interleaved-bubble-total"),
)  # fmt: skip
