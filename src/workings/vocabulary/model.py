"""Sizes of a model."""

from workings.vocabulary.concept import count, flag, whole

D_MODEL = count("d_model", "model width", "D", "model.d_model", "values")
D_FF = count("d_ff", "feed-forward width", "F", "model.d_ff", "values")
BLOCKS = count("blocks", "blocks (layers)", "L", "model.blocks", "blocks")
PARAMETERS = count("parameters", "parameters of the model", "P", "model.parameters", "parameters")
ACTIVE_PARAMETERS = count(
    "active_parameters", "parameters that a token meets", "P", "model.active_parameters", "parameters"
)._replace(kin="parameters")
OUTSIDE_TABLES = count(
    "outside_tables", "parameters that a token meets, without embedding tables", "P",
    "model.outside_tables", "parameters",
)._replace(kin="parameters")  # fmt: skip
LARGEST_BLOCK = count(
    "largest_block", "parameters of the largest block", "P_B", "model.largest_block", "parameters"
)
VOCAB = count("vocab", "tokens in the vocabulary", "V", "model.vocab", "values")
EMBEDDINGS = count(
    "embeddings", "embedding tables: 1 tied, 2 untied", "n_emb", "model.embeddings", "tables"
)
POSITIONS = whole("positions", "learned positions", "n_pos", "model.positions", "positions")
FFN_MATRICES = count(
    "ffn_matrices", "matrices of a feed-forward: 2 plain, 3 gated", "n_f", "model.ffn_matrices",
    "matrices",
)  # fmt: skip

# Attention
HEADS = count("heads", "query heads", "H", "model.heads", "heads")
KV_HEADS = count("kv_heads", "key and value heads", "K", "model.kv_heads", "heads")
HEAD_DIM = count("head_dim", "width of a head", "d_h", "model.head_dim", "values")
Q_RANK = whole("q_rank", "rank of the compressed query (0: not compressed)", "r_q", "model.q_rank",
               "values")  # fmt: skip
KV_RANK = count("kv_rank", "rank of the compressed key and value", "r_kv", "model.kv_rank", "values")
NOPE_DIM = count("nope_dim", "width of a head without position", "d_n", "model.nope_dim", "values")
ROPE_DIM = count("rope_dim", "width of a head that carries position", "d_r", "model.rope_dim", "values")
V_DIM = count("v_dim", "width of a value head", "d_v", "model.v_dim", "values")

# Norms and biases
NORMS = whole("norms", "norms of the model's width in a block", "n_n", "model.norms", "norms")
FINAL_NORMS = whole("final_norms", "norms after the last block", "n_nf", "model.final_norms", "norms")
QK_NORMS = whole("qk_norms", "norms of a head's width in a block", "n_qk", "model.qk_norms", "norms")
NORM_BIAS = flag("norm_bias", "1 where a norm has a bias", "beta_n", "model.norm_bias")
QKV_BIAS = flag("qkv_bias", "1 where queries, keys and values have biases", "beta_qkv", "model.qkv_bias")
OUT_BIAS = flag("out_bias", "1 where attention's output has a bias", "beta_o", "model.out_bias")
FFN_BIAS = flag("ffn_bias", "1 where the feed-forward has biases", "beta_f", "model.ffn_bias")

# Mixture of experts
EXPERTS = count("experts", "experts of a block", "E", "model.experts", "experts")
ACTIVE_EXPERTS = count(
    "active_experts", "routed experts a token goes to", "k_E", "model.active_experts", "experts"
)
SHARED_EXPERTS = whole(
    "shared_experts", "experts that every token goes to", "E_s", "model.shared_experts", "experts"
)
D_EXPERT = count("d_expert", "feed-forward width of an expert", "F_E", "model.d_expert", "values")
MOE_BLOCKS = whole("moe_blocks", "blocks with experts", "L_E", "model.moe_blocks", "blocks")
DENSE_FIRST = whole(
    "moe_from", "blocks before the first that has experts", "L_0", "model.moe_from", "blocks"
)
MOE_PERIOD = count(
    "moe_gap", "blocks from one with experts to the next", "r_E", "model.moe_gap", "blocks"
)
ROUTER_BIAS = flag("router_bias", "1 where the router has a bias", "beta_r", "model.router_bias")
SHARED_GATE = flag(
    "shared_gate", "1 where a gate weighs the shared experts", "beta_s", "model.shared_gate"
)

# A feed-forward's width in formulas that a model of any kind can be put in: where it has experts, a token
# passes through those chosen for it as through one feed-forward of their widths together.
TOKEN_WIDTH = count(
    "token_width", "feed-forward width that a token meets (all its experts together)", "F",
    "model.token_width", "values",
)._replace(kin="d_ff")  # fmt: skip
PLAIN_WIDTH = count(
    "plain_width", "feed-forward width, its weights taken as two matrices", "F", "model.plain_width",
    "values",
)._replace(kin="d_ff")  # fmt: skip
