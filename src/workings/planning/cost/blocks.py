"""How blocks, tokens and parameters fall to a rank."""

from workings.planning.cost.stages import EXPERT_BLOCKS
from workings.planning.letters import LETTERS
from workings.planning.statement import say, switch, take
from workings.units import ONE

BLOCKS = (
    # The layout that follows from what is chosen.
    say("d", "replicas that see different sequences", ONE, "n/(t*c*p)", entry="data-parallel-degree"),
    say("m", "micro-batches of a replica and step", ONE, "b/(d*b_m)", entry="replica-microbatches"),
    say("T_r", "tokens of a micro-batch on a rank's share of the sequence", ONE, "b_m*s/c"),
    switch("x_v", "1 where a rank holds several chunks", "min(1, v - 1)"),
    switch("x_p", "1 where there are several stages", "min(1, p - 1)"),
    switch("x_mid", "1 where there are stages between the first and the last", "min(1, max(0, p - 2))"),
    switch("x_late", "1 where gradients that ranks share are whole until the last micro-batch",
           "z_2*(1 - z_each)*min(1, m - 1)"),
    switch("x_zb", "1 where gradients of weights fill the bubble",
           "z_zb*x_p*(1 - x_v)*min(1, floor(m/p))"),
    switch("x_bi", "1 where a rank holds a stage and the one as far from the other end (DualPipe)",
           "z_bi*x_p*(1 - x_v)*(1 + 2*floor(p/2) - p)*(1 + 2*floor(m/2) - m)*min(1, floor(m/(2*p)))"),
    say("d_e", "copies of each expert: one a replica, under DualPipe two", ONE,
        "(1 + x_bi)*n/(t_e*e*p)", entry="expert-replicas"),
    say("N", "ranks that share one copy of the dense state", ONE, "(1 + x_bi)*d*c/n_r",
        assumes="under DualPipe the two ranks of a pipeline that hold a stage share its state, too"),
    # Blocks on each stage: the ends carry the tables, so they are given one chunk's blocks less first.
    say("k", "blocks of the largest chunk", ONE, "ceil(L/(p*v))"),
    say("L_full", "blocks of a full stage", ONE, "k*v"),
    say("x_L", "blocks that full stages would have too many", ONE, "p*L_full - L"),
    say("L_first", "blocks of the first stage", ONE, "L_full - min(k, floor(x_L/2))"),
    say("L_last", "blocks of the last stage", ONE, "L_full - min(k, ceil(x_L/2))"),
    say("L_mid", "blocks of a stage between, 0 where there is none", ONE, "L_full*x_mid"),
    *EXPERT_BLOCKS,
    # Attention with grouped heads (d_h) or with latents (r_q, r_kv, d_n, d_r, d_v): a model has one kind,
    # and the sizes of the other are 0.
    say("d_qk", "width of a head's queries and keys", ONE, "d_h + d_n + d_r"),
    say("d_vo", "width of a head's values and output", ONE, "d_h + d_v"),
    # Parameters of a block.
    take("P_attn", "attention-parameters", LETTERS),
    take("P_mla", "mla-parameters", LETTERS),
    say("P_proj", "weights of attention's projections", ONE, "z_h*(P_attn + P_mla - (r_q + r_kv))"),
    say("P_down", "weights down to the latents, which every tensor-parallel rank holds whole", ONE,
        "D*(r_q + r_kv + d_r)", entry="mla-parameters"),
    take("P_bias", "attention-bias-parameters", LETTERS),
    take("P_norms", "block-norm-parameters", LETTERS),
    take("P_ffn", "ffn-block-parameters", LETTERS),
    take("P_one", "ffn-block-parameters", LETTERS, meaning="Parameters of one expert", F="F_E",
         beta_f="0"),
    take("P_router", "router-parameters", LETTERS),
    say("P_copy", "attention's parameters and norms that every tensor-parallel rank holds whole", ONE,
        "z_h*(P_down + r_q + r_kv + beta_o*D) + P_norms", entry="tp-copied-block-parameters"),
    say("P_many", "keys' and values' weights in copies, where ranks are more than heads", ONE,
        "2*z_h*(max(K, t) - K)*d_h*(D + beta_qkv)", entry="tp-attention-parameters"),
    say("P_all", "attention's parameters and norms", ONE,
        "P_proj + z_h*(P_bias + r_q + r_kv) + P_norms"),
    say("P_att", "a rank's share of attention and norms", ONE,
        "(P_all - P_copy + P_many)/t + P_copy", entry="rank-parameters"),
    say("P_db", "a rank's share of a dense block", ONE, "P_att + (P_ffn - beta_f*D)/t + beta_f*D",
        entry="rank-parameters"),
    say("P_eb", "a rank's share of a block with experts, outside the routed", ONE,
        "P_att + E_s*P_one/t + P_router + beta_s*D", entry="tp-copied-mixture-parameters"),
    say("P_re", "a rank's share of a block's routed experts", ONE, "E*P_one/(t_e*e)",
        entry="expert-rank-parameters"),
    say("P_tab", "a rank's part of a table: as many rows as the fullest rank has", ONE, "ceil(V/t)*D",
        entry="first-stage-parameters"),
    # In the mean over blocks with and without experts.
    say("x_E", "share of blocks with experts", ONE, "L_E/L"),
    say("P_bd", "parameters of a block outside its routed experts, in the mean", ONE,
        "P_all + (1 - x_E)*P_ffn + x_E*(P_router + E_s*P_one + beta_s*D)"),
    say("P_blk", "a rank's share of a block outside its routed experts, in the mean", ONE,
        "(1 - x_E)*P_db + x_E*P_eb"),
    say("P_be", "parameters of a block's routed experts, in the mean", ONE, "x_E*E*P_one"),
)  # fmt: skip
