"""What a block computes again for its backward, and what it need not keep therefore.

Every value that a block's derivatives need is kept, or lost and computed again. A letter r_... says
which, value by value, so that modules of Megatron-LM, operations of PyTorch and policies of XLA are
all sums over these letters. Values that nothing but a policy keeps are counted on top.
"""

from workings.planning.statement import say
from workings.units import BYTE, FLOP, ONE, SECOND

NOT_KEPT = (
    say("R_f", "share of the blocks that are computed again as a whole", ONE, "z_f*(1 - x_keep)"),
    say("A_lost", "not kept, but computed again: norms' and attention's values", BYTE,
        "a*T_r*((D*(r_nrm*(1 + z_h) + r_mid*(1 - k_com*min(1, t - 1))*max(0, n_n - 1))"
        " + r_lat*(r_q + r_kv))/t_s"
        " + z_h*(((r_qry*H/t + r_key*max(K/t, 1))*(d_qk + n_qk/2*d_h))"
        " + (r_val*max(K/t, 1) + r_ctx*H/t)*d_vo)) + z_h*r_ctx*4[byte]*T_r*H/t + r_nrm*A_eag",
        entry="block-activations-llama-mesh"),
    say("A_lost_f", "not kept, but computed again: a dense feed-forward's values", BYTE,
        "a*T_r*F*((n_f - 2)*r_gat + r_up + z_g*r_act)/t + r_act*A_eag_f",
        entry="block-activations-llama-mesh"),
    say("A_lost_x", "not kept, but computed again: experts' values", BYTE,
        "a*T_r*(lambda*k_E*(D*t_x*r_tok*(1 - k_com*min(1, e - 1)) + F_E*((n_f - 1)*r_hid + r_xact))"
        " + E_s*F_E*n_f*r_sha)/t + r_xact*A_eag_x", entry="block-activations-moe"),
    say("A_more", "kept by a policy, though no derivative needs it", BYTE,
        "a*T_r*D*(k_dwn + k_com*min(1, t - 1)/t_s)",
        assumes="a product is held as it came, of tensor-parallel ranks a partial sum by each"),
    say("A_more_x", "the same of a block with experts", BYTE,
        "a*T_r*D*(k_dwn*min(1, E_s) + k_com*(min(1, t - 1)/t_s + lambda*k_E*min(1, e - 1)/t))"),
)  # fmt: skip

SENT_AGAIN = (
    say("x_qkv", "1 where tokens are gathered for queries, keys or values once more", ONE,
        "max(r_qry, r_key, r_val)"),
    say("n_part", "gathers and reductions for values that are computed again, of a block that keeps some",
        ONE,
        "z_h*(z_s*x_qkv + (2 - z_s)*r_mid*(1 - k_com))"
        " + (1 - x_E)*(z_s*max((n_f - 2)*r_gat, r_up) + (2 - z_s)*r_dwn) + x_E*min(1, E_s)*2*r_sha",
        entry="sp-regather-layer-bytes"),
    say("n_x", "times that tokens are sent to experts or fetched: forward, backward, and again", ONE,
        "4 + 2*R_f + (1 - R_f)*(1 - k_com)*(r_tok + r_xdn)", entry="expert-all-to-all"),
)  # fmt: skip

COMPUTED_AGAIN = (
    say("P_qry", "weights that make queries, of their input or its latent", ONE,
        "z_h*((1 - z_q)*D + r_q)*H*d_qk", entry="attention-parameters"),
    say("f_part", "matrices outside routed experts, computed again for a block that keeps some", FLOP,
        "2[FLOP]*T_r/t*(r_qry*P_qry + z_h*(D*K*d_h*(r_key + r_val) + r_kv*H*(d_n*r_key + d_v*r_val)"
        " + H*d_vo*D*r_mid) + (1 - x_E)*D*F*((n_f - 2)*r_gat + r_up + r_dwn)"
        " + x_E*E_s*P_one*r_sha)", entry="tp-layer-flops"),
    say("e_part", "bytes read and written between them", BYTE,
        "a*T_r*((D*(2*n_n*r_nrm + 3*z_h*r_mid) + 2*(r_q + r_kv)*r_lat)/t_s"
        " + (z_h*2*((H*r_qry + K*r_key)*(d_qk + n_qk/2*d_h) + H*d_v*r_val)"
        " + n_f*z_g*((1 - x_E)*F*r_act + x_E*F_E*(lambda*k_E*r_xact + E_s*r_sha)))/t)",
        assumes="each as in the forward"),
    say("T_part", "computed again for a block that keeps some of its values", SECOND,
        "(f_part + f_exp*((n_f - 1)*r_hid + r_xdn)/n_f)/(eta*C)"
        " + (e_part + e_exp*(r_tok + r_xdn)/2)/(eta_m*W_m)"
        " + max(z_c, r_ctx)*(T_core + e_core/(eta_m*W_m))"),
    say("T_again", "computed again for the backward, in the mean over blocks", SECOND,
        "R_f*T_fwd + (1 - R_f)*T_part", entry="recompute-overhead"),
)  # fmt: skip
