"""Attention.

Each query head has a matrix down to its width and its rows of the output; each key and value head serves
a group of query heads. The general form takes any number of groups and any width of a head. Where the
heads together are as wide as the model it becomes grouped-query attention, of which multi-head and
multi-query attention are the two ends. Biases are counted apart, since most models have none.
"""

from workings.derivation import Source, derivation, like
from workings.derivations.parameters._letters import ATTENTION, ATTENTION_BIAS, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.sources import KAPLAN
from workings.simulate.weights import attention, count
from workings.units import ONE
from workings.vocabulary.kinds import HEADS_FILL, MULTI_HEAD, MULTI_QUERY, WITHOUT_LATENT
from workings.vocabulary.model import D_MODEL, HEADS, KV_HEADS, V_DIM


def list_the_heads(D: int, H: int, K: int, d_h: int) -> int:
    """A list of every head's matrices with their shapes, elements added up."""
    return count(attention(described(D=D, H=H, K=K, d_h=d_h)))


ATTENTION_PARAMETERS = derivation(
    "attention-parameters",
    title="Parameters of attention with grouped key and value heads",
    phrases="attention weights with GQA any head size; Wq Wk Wv Wo parameter count; 2Dd(H+K); q_proj "
    "k_proj v_proj o_proj weight count; self-attention weights when head_dim differs from hidden/heads; "
    "how many weights has a Llama attention layer; size of the QKV and output projections; size of Q K "
    "V O matrices",
    unit=ONE,
    noun="parameters",
    letters=ATTENTION,
    source=transformers("llama", "LlamaAttention"),
    oracle=list_the_heads,
    convention="One block. `K = H` is multi-head attention, `K = 1` multi-query attention.",
    leaves_out="Biases, and norms of queries and keys: they are counted apart.",
    holds_for={WITHOUT_LATENT: "mla-parameters"},
    chain="""
    P_attn = sum(D*d_h, (i, 1, H)) + 2*sum(D*d_h, (i, 1, K)) + sum(d_h*D, (i, 1, H))
                                       -- queries; keys and values; rows of the output, head by head
      = H*D*d_h + 2*K*D*d_h + H*d_h*D  -- equal heads
      = 2*D*d_h*(H + K)                -- collect
    """,
)


def list_heads_of_two_widths(D: int, H: int, K: int, d_h: int, d_v: int) -> int:
    """A list of every head's matrices, values as wide as they are, elements added up."""
    return count(attention(described(D=D, H=H, K=K, d_h=d_h), d_v))


TWO_WIDTHS_PARAMETERS = like(
    "attention-parameters-two-widths",
    ATTENTION_PARAMETERS,
    title="Parameters of attention whose values have a width of their own",
    phrases="multi-head attention with d_k and d_v; "
    "d_k and d_v differ; attention weights with unlike key and value sizes; 2 h d_k d_model + 2 "
    "h d_v d_model; value head dimension not equal to key head dimension; W_V and W_O of width d_v; "
    "v_head_dim without latent compression",
    letters={**ATTENTION, "d_v": V_DIM},
    source=Source(
        "Vaswani et al.",
        "Attention Is All You Need",
        2017,
        "section 3.2.2, shapes of the projections",
        "https://arxiv.org/abs/1706.03762",
    ),
    oracle=list_heads_of_two_widths,
    convention="One block; queries and keys are `d_h` wide, values `d_v`. `d_v = d_h` is "
    "attention-parameters.",
    chain="""
    P_kv2 = sum(D*d_h, (i, 1, H)) + sum(D*d_h + D*d_v, (i, 1, K)) + sum(d_v*D, (i, 1, H))
                                       -- queries; keys and values; rows of the output, head by head
      = D*(d_h + d_v)*(H + K)          -- collect
    """,
)


def list_the_groups(D: int, H: int, K: int) -> int:
    """A list of every head's matrices, heads cut from the model's width, elements added up."""
    return count(attention(described(D=D, H=H, K=K, d_h=D // H)))


GQA_PARAMETERS = like(
    "gqa-parameters",
    ATTENTION_PARAMETERS,
    title="Parameters of grouped-query attention as wide as the model",
    phrases="GQA weights at head dim d/H; 2D²(1 + K/H); grouped KV heads weights when q_proj is square; "
    "num_query_groups weight saving, heads filling the hidden size; Llama style attention weight count; "
    "how many weights does GQA save over MHA",
    letters={"D": D_MODEL, "H": HEADS, "K": KV_HEADS},
    uses={"P_attn": ATTENTION_PARAMETERS.at(d_h="D/H")},
    given=("H divides D", "K <= H"),
    oracle=list_the_groups,
    convention="One block; heads of width `D/H`.",
    leaves_out="Biases.",
    holds_for={HEADS_FILL: "attention-parameters"},
    chain="""
    P_gqa = P_attn              -- with heads of width `D/H`
      = 2*D*(D/H)*(H + K)       -- attention's parameters
      = 2*D^2*(1 + K/H)         -- collect
      <= 4*D^2                  -- `K <= H`: at most as many as with a key and a value for each query
    """,
)


def list_every_head(D: int, H: int) -> int:
    """A list of every head's query, key, value and output matrix, elements added up."""
    return count(attention(described(D=D, H=H, K=H, d_h=D // H)))


MHA_PARAMETERS = like(
    "mha-parameters",
    GQA_PARAMETERS,
    title="Parameters of multi-head attention",
    phrases="MHA weights; 4d²; Q K V O square matrices; qkv plus output projection four square "
    "matrices; standard self-attention layer params; vanilla attention weight count as in GPT; "
    "attention quarter of 12h^2; original transformer attention size; how many weights in a multihead "
    "layer",
    letters={"D": D_MODEL, "H": HEADS},
    uses={"P_gqa": GQA_PARAMETERS.at(K="H")},
    given=("H divides D",),
    source=KAPLAN,
    oracle=list_every_head,
    convention="One block; heads of width `D/H`, each with a key and a value of its own.",
    holds_for={MULTI_HEAD: "attention-parameters", HEADS_FILL: "attention-parameters"},
    chain="""
    P_mha = P_gqa               -- with `K = H`
      = 2*D^2*(1 + H/H)         -- grouped-query attention's parameters
      = 4*D^2                   -- four square matrices, however many heads
    """,
)


def list_one_group(D: int, H: int) -> int:
    """A list of every head's query and output and of the one key and value, elements added up."""
    return count(attention(described(D=D, H=H, K=1, d_h=D // H)))


MQA_PARAMETERS = like(
    "mqa-parameters",
    MHA_PARAMETERS,
    title="Parameters of multi-query attention",
    phrases="MQA weights; single KV head attention size; weights when all heads share one key; Shazeer "
    "one write-head params; num_query_groups=1 attention size; one shared key value head params",
    uses={"P_gqa": GQA_PARAMETERS.at(K="1")},
    source=transformers("llama", "LlamaAttention with num_key_value_heads = 1"),
    oracle=list_one_group,
    convention="One block; heads of width `D/H`, all with the same key and value.",
    holds_for={MULTI_QUERY: "attention-parameters", HEADS_FILL: "attention-parameters"},
    chain="""
    P_mqa = P_gqa               -- with `K = 1`
      = 2*D^2*(1 + 1/H)         -- grouped-query attention's parameters
      ≈ [H -> oo] 2*D^2         -- queries and output only: half of multi-head attention
    """,
)


def list_the_biases(**letters: int) -> int:
    """A list of attention's tensors; those named for a bias are added up."""
    return count(w for w in attention(described(**letters)) if w.name.endswith("bias"))


ATTENTION_BIAS_PARAMETERS = derivation(
    "attention-bias-parameters",
    title="Biases of attention",
    phrases="QKV bias count; attention bias vectors; Qwen qkv bias parameters; bias terms in the QKV "
    "projections; add_bias_linear attention params",
    unit=ONE,
    noun="parameters",
    letters={**ATTENTION, **ATTENTION_BIAS},
    source=transformers("qwen2", "Qwen2Attention"),
    oracle=list_the_biases,
    convention="One block; `beta` is 1 where the model has that bias, else 0.",
    chain="""
    P_attn_b = beta_qkv*(sum(d_h, (i, 1, H)) + 2*sum(d_h, (i, 1, K))) + beta_o*D
                                              -- one value for each value that a matrix puts out
      = beta_qkv*(H + 2*K)*d_h + beta_o*D     -- equal heads
    """,
)
