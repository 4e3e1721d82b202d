"""What a layout comes to: utilization, throughput, days, cost."""

from workings.planning.statement import say
from workings.units import CURRENCY, FLOP, ONE, SECOND

OUTCOME = (
    say("Phi_s", "model FLOPs of a step, nothing counted twice", FLOP,
        "6[FLOP]*b*s*(L*(P_proj + (1 - x_E)*n_f*D*F + x_E*(D*E + (k_E + E_s)*P_one)) + D*V)"
        " + 6[FLOP]*kappa_u*z_h*b*s^2*L*H*(d_qk + d_vo)", entry="model-training-flops"),
    say("u", "model FLOPs utilization", ONE, "Phi_s/(n*C*T_step)", entry="model-flops-utilization"),
    say("C_u", "model FLOP/s of a device", FLOP / SECOND, "Phi_s/(n*T_step)"),
    say("R_s", "tokens per second", ONE / SECOND, "b*s/T_step", entry="throughput"),
    say("T_run", "the whole run, with what failures cost", SECOND, "T_tok*T_step/(b*s*gamma)",
        entry="training-time-goodput"),
    say("c_run", "cost of the run", CURRENCY, "n*c_d*T_run", entry="training-cost-goodput"),
)  # fmt: skip
