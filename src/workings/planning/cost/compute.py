"""What a rank computes for a block and a micro-batch, and how long that takes."""

from workings.planning.statement import say
from workings.units import BYTE, FLOP, SECOND

COMPUTE = (
    say("f_lin", "forward of a block's matrices outside routed experts", FLOP,
        "2[FLOP]*T_r/t*(z_h*P_attn + (1 - x_E)*n_f*D*F + x_E*(D*E + E_s*P_one))",
        entry="tp-layer-flops"),
    say("f_exp", "forward of routed experts, on the busiest rank", FLOP,
        "2[FLOP]*x_E*lambda*k_E*P_one*T_r/t", entry="expert-time"),
    say("f_core", "forward of attention's core", FLOP, "4[FLOP]*kappa*z_h*T_r*s*H*d_h/t",
        entry="attention-core-flops"),
    say("e_blk", "bytes read and written between matmuls in a block's forward", BYTE,
        "a*T_r*(D*(2*n_n + 6)/t_s + (z_h*2*(H + K)*d_h"
        " + n_f*z_g*((1 - x_E)*F + x_E*(lambda*k_E + E_s)*F_E))/t)",
        assumes="norms and residuals read and write what they touch once, as do rotary positions and the "
        "activation function"),
    say("e_core", "bytes read and written for scores kept in memory", BYTE,
        "z_h*(1 - z_a)*9[byte]*T_r*H*s/t",
        assumes="mask, softmax and dropout each read and write the scores in BF16"),
    say("T_core", "forward of attention's core, in a fused kernel or as plain products", SECOND,
        "f_core/((z_a*eta_a + (1 - z_a)*eta)*C)"),
    say("T_lin", "forward of a block's matrices: computed, or waited for while weights are read", SECOND,
        "max(f_lin/(eta*C), w*P_bd/(t*eta_m*W_m))"),
    say("T_exp", "forward of routed experts, the same way", SECOND,
        "max(f_exp/(eta*C), w*P_be/(t_e*e*eta_m*W_m))"),
    say("T_fwd", "forward of a block", SECOND, "T_lin + T_exp + T_core + (e_blk + e_core)/(eta_m*W_m)"),
    say("T_grad", "gradients of a block's weights, added to those of the micro-batches before", SECOND,
        "max(f_lin/(eta*C), 2*w_g*P_bd/(t*eta_m*W_m)) + max(f_exp/(eta*C), 2*w_g*P_be/(t_e*e*eta_m*W_m))",
        assumes="stored gradients are read and written once a micro-batch"),
    say("T_bwd", "backward of a block, with what is computed again", SECOND,
        "(1 + z_f)*T_fwd + T_grad + (1 + z_a/2)*T_core + (e_blk + e_core)/(eta_m*W_m)"
        " + (1 - z_f)*z_c*(T_core + e_core/(eta_m*W_m))",
        assumes="gradients of inputs and of weights each take what the forward does; FlashAttention's "
        "backward has five products against two, so it takes two and a half times its forward"),
    say("T_blk", "a block, forward and backward, with the traffic nothing hides", SECOND,
        "T_fwd + T_bwd + T_link"),
    say("T_head", "logits and loss, forward and backward", SECOND,
        "6[FLOP]*T_r*D*V/(t*eta*C) + 4*w_l*T_r*V/(t*eta_m*W_m)", entry="logits-flops"),
)  # fmt: skip
