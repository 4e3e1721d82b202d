"""What a rank computes for a block and a micro-batch, and how long that takes."""

from workings.planning.cost.again import COMPUTED_AGAIN
from workings.planning.statement import say
from workings.units import BYTE, FLOP, SECOND

COMPUTE = (
    say("f_lin", "forward of a block's matrices outside routed experts", FLOP,
        "2[FLOP]*T_r/t*(P_proj + (t/t_s - 1)*P_down + (1 - x_E)*n_f*D*F + x_E*(D*E + E_s*P_one))",
        entry="tp-layer-flops"),
    say("f_exp", "forward of routed experts, on the busiest rank", FLOP,
        "2[FLOP]*x_E*lambda*k_E*P_one*T_r/t", entry="expert-time"),
    say("f_qk", "forward of attention's scores: queries times keys", FLOP,
        "2[FLOP]*kappa*z_h*T_r*s*H*d_qk/t", entry="attention-core-flops"),
    say("f_core", "forward of attention's core: scores, and values weighed with them", FLOP,
        "f_qk + 2[FLOP]*kappa*z_h*T_r*s*H*d_vo/t", entry="attention-core-flops"),
    say("e_blk", "bytes read and written between matmuls in a block's forward", BYTE,
        "a*T_r*((D*(2*n_n + 3 + 3*z_h) + 2*(r_q + r_kv))/t_s + (z_h*2*((H + K)*(d_qk"
        " + n_qk/2*d_h) + H*d_v) + n_f*z_g*((1 - x_E)*F + x_E*(lambda*k_E + E_s)*F_E))/t)",
        assumes="norms and residuals read and write what they touch once, as do rotary positions, the "
        "activation function, and the values that come up from a latent"),
    say("e_exp", "bytes read and written to sort tokens by expert, and back", BYTE,
        "a*T_r/t_s*x_E*D*(2 + k_E*(2 + 4*lambda*t_x*min(1, max(0, E/e - 1))))",
        assumes="a rank writes its tokens once for every expert they go to, and sums what comes back; "
        "with several experts it sorts what it gets, and back again, each time a read and a write, as "
        "Megatron-LM does"),
    say("e_core", "bytes read and written for scores kept in memory", BYTE,
        "z_h*(1 - z_a)*9[byte]*T_r*H*s/t",
        assumes="mask with softmax, and dropout, each read and write scores in BF16; dropout a mask too"),
    say("T_core", "forward of attention's core, in a fused kernel or as plain products", SECOND,
        "f_core/((z_a*eta_a + (1 - z_a)*eta)*C)"),
    say("T_lin", "forward of a block's matrices: computed, or waited for while weights are read", SECOND,
        "max(f_lin/(eta*C), w*P_blk/(eta_m*W_m))"),
    say("T_exp", "forward of routed experts, the same way", SECOND,
        "max(f_exp/(eta*C), w*P_be/(t_e*e*eta_m*W_m))"),
    say("T_fwd", "forward of a block", SECOND,
        "T_lin + T_exp + T_core + (e_blk + e_exp + e_core)/(eta_m*W_m)"),
    say("T_grad", "gradients of a block's weights, added to those of the micro-batches before", SECOND,
        "max(f_lin/(eta*C), 2*w_g*P_blk/(eta_m*W_m)) + f_exp/(eta*C) + 2*w_g*P_be/(t_e*e*eta_m*W_m)",
        assumes="stored gradients are read and written once a micro-batch, while a dense matrix is "
        "multiplied, but after the product of an expert, which is short where few tokens come to it"),
    *COMPUTED_AGAIN,
    say("T_bwd", "backward of a block, with what is computed again", SECOND,
        "T_fwd + T_grad + T_core + z_a*f_qk/(eta_a*C) + (e_blk + e_core)/(eta_m*W_m) + T_again",
        assumes="gradients of inputs and of weights each take what the forward does, but gradients are "
        "sorted once; FlashAttention's backward computes the scores again, so it has five products "
        "against two"),
    say("B_away", "a block's activations that are sent to the host, and fetched again", BYTE,
        "x_host*((1 - x_E)*A_kept + x_E*A_kept_x)"),
    say("T_away", "what of that neither the forward nor the backward of a block hides", SECOND,
        "max(0, B_away/W_h - T_fwd) + max(0, B_away/W_h - T_bwd)",
        assumes="a block's activations are sent while the next is computed, and fetched likewise"),
    say("T_e", "time of a block's traffic for experts that compute does not hide", SECOND,
        "max((1 - h_e)*(T_ea + T_et), T_ea + T_et - T_fwd - T_bwd)",
        assumes="it hides behind the compute of another micro-batch, and behind no more than a block's"),
    say("T_link", "exposed traffic of a block and micro-batch", SECOND, "T_t + V_c/W_c + T_e"),
    say("T_rest", "what a block takes beside work and traffic: gaps between its kernels", SECOND,
        "T_gap + x_E*T_gap_x + z_3*T_gap_z"),
    say("T_blk", "a block, forward and backward, with the traffic nothing hides", SECOND,
        "T_fwd + T_bwd + T_link + T_away + T_rest"),
    say("T_head", "logits and loss, forward and backward", SECOND,
        "6[FLOP]*T_r*D*V/(t*eta*C) + 4*w_l*T_r*V/(t*eta_m*W_m)", entry="logits-flops"),
)  # fmt: skip
