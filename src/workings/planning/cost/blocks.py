"""How blocks, tokens and parameters fall to a rank."""

from workings.planning.letters import LETTERS
from workings.planning.statement import say, switch, take
from workings.units import ONE

BLOCKS = (
    # The layout that follows from what is chosen.
    say("d", "replicas that see different sequences", ONE, "n/(t*c*p)", entry="data-parallel-degree"),
    say("m", "micro-batches of a replica and step", ONE, "b/(d*b_m)", entry="replica-microbatches"),
    say("d_e", "copies of each expert", ONE, "n/(t_e*e*p)", entry="expert-replicas"),
    say("N", "ranks that share one copy of the dense state", ONE, "d*c/n_r"),
    say("T_r", "tokens of a micro-batch on a rank's share of the sequence", ONE, "b_m*s/c"),
    switch("x_v", "1 where a rank holds several chunks", "min(1, v - 1)"),
    switch("x_p", "1 where there are several stages", "min(1, p - 1)"),
    switch("x_mid", "1 where there are stages between the first and the last", "min(1, max(0, p - 2))"),
    # Blocks on each stage: the ends carry the tables, so they are given one chunk's blocks less first.
    say("k", "blocks of the largest chunk", ONE, "ceil(L/(p*v))"),
    say("L_full", "blocks of a full stage", ONE, "k*v"),
    say("x_L", "blocks that full stages would have too many", ONE, "p*L_full - L"),
    say("L_first", "blocks of the first stage", ONE, "L_full - min(k, floor(x_L/2))"),
    say("L_last", "blocks of the last stage", ONE, "L_full - min(k, ceil(x_L/2))"),
    say("L_mid", "blocks of a stage between, 0 where there is none", ONE, "L_full*x_mid"),
    # Attention with grouped heads (d_h) or with latents (r_q, r_kv, d_n, d_r, d_v): a model has one kind,
    # and the sizes of the other are 0.
    say("d_qk", "width of a head's queries and keys", ONE, "d_h + d_n + d_r"),
    say("d_vo", "width of a head's values and output", ONE, "d_h + d_v"),
    # Parameters of a block, in the mean over blocks with and without experts.
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
    say("x_E", "share of blocks with experts", ONE, "L_E/L"),
    say("P_bd", "parameters of a block outside its routed experts", ONE,
        "P_proj + z_h*(P_bias + r_q + r_kv) + P_norms + (1 - x_E)*P_ffn"
        " + x_E*(P_router + E_s*P_one + beta_s*D)"),
    say("P_blk", "a rank's share of a block outside its routed experts", ONE,
        "P_bd/t + (t - 1)/t*P_down"),
    say("P_be", "parameters of a block's routed experts", ONE, "x_E*E*P_one"),
)  # fmt: skip
