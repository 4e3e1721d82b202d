"""What a rank keeps for the backward pass."""

from workings.planning.statement import say
from workings.units import BYTE, ONE

ACTIVATIONS = (
    say("t_s", "ranks that share what tensor parallelism leaves whole", ONE, "1 + z_s*(t - 1)"),
    say("t_x", "parts of the tokens that the ranks which split an expert gather from one another", ONE,
        "max(1, t_e*t_s/t)"),
    say("A_att", "kept by attention: queries, keys, before norms of heads too, values, output, row sums",
        BYTE,
        "z_h*(a*T_r*(d_qk + d_vo + n_qk/2*d_h)*(H/t + max(K/t, 1)) + 4[byte]*T_r*H/t)",
        entry="block-activations-llama-mesh"),
    say("A_core", "attention's scores, kept without FlashAttention unless computed again", BYTE,
        "z_h*(1 - z_a)*5[byte]*T_r*H*s/t", entry="block-activations-tp-sp"),
    say("A_in", "kept whole: inputs of norms, attention and feed-forward; latents, with and without norm",
        BYTE, "a*T_r*(D*(n_n + z_h + 1) + 2*(r_q + r_kv) + d_r)/t_s",
        entry="block-activations-llama-mesh"),
    say("A_ffn", "kept by a dense feed-forward", BYTE, "a*T_r*F*(n_f - 1 + z_g)/t",
        entry="block-activations-llama-mesh"),
    say("A_exp", "kept by experts: tokens sent or gathered to them, and what they compute", BYTE,
        "a*T_r*(lambda*k_E*(D*t_x + F_E*n_f) + E_s*F_E*n_f)/t + 4[byte]*T_r*(E + lambda*k_E)/t",
        entry="block-activations-moe"),
    say("A_whole", "kept by a block that computes nothing again, but for scores", BYTE,
        "A_in + A_att + (1 - x_E)*A_ffn + x_E*A_exp"),
    say("A_kept", "kept by a block", BYTE,
        "z_f*a*T_r*D/t_s + (1 - z_f)*(A_whole + (1 - z_c)*A_core)", entry="block-activations-full-sp"),
    say("A_again", "computed or gathered again for the block at work", BYTE,
        "z_f*(A_whole + A_core - a*T_r*D/t_s) + (1 - z_f)*z_c*A_core + z_s*a*T_r*D",
        entry="recompute-peak"),
    # Micro-batches whose activations a stage holds at once.
    say("i_first", "micro-batches in flight on the first stage", ONE,
        "min(m, p + x_v*(p - 1)/v)", entry="in-flight-interleaved"),
    say("i_mid", "micro-batches in flight on the second stage", ONE,
        "min(m, max(1, p - 1 + x_v*(1 + (p - 3)/v)))", entry="in-flight-1f1b"),
    say("i_last", "micro-batches in flight on the last stage", ONE,
        "min(m, 1 + x_v*(v - 1)*(p - 1)/v)", entry="in-flight-1f1b"),
    say("A_first", "kept on the first stage", BYTE, "i_first*L_first*A_kept", entry="stage-activations"),
    say("A_mid", "kept on a stage between", BYTE, "i_mid*L_mid*A_kept", entry="stage-activations"),
    say("A_last", "kept on the last stage", BYTE, "i_last*L_last*A_kept", entry="stage-activations"),
    say("A_head", "logits and the head's input", BYTE, "T_r/t*(2*a*D + w_l*V)", entry="head-activations"),
    say("G_head", "gradient of the logits", BYTE, "w_d*T_r*V/t", entry="loss-peak"),
)  # fmt: skip
