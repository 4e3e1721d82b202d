"""What a rank holds and computes.

Not everything divides by the ranks. Key and value heads have copies once there are more ranks than
heads, so attention's parameters stop shrinking there; norms, biases added after a sum, routers and the
ways down to latents lie whole on every rank. The entries count heads and copies, attention's
parameters, and what is whole in a block, in a block with MLA and in a mixture. The last one is a rank's
FLOPs in a layer, all of which are split.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like
from workings.derivation.chain import Row
from workings.derivations.parameters._letters import BLOCK_NORMS, NORM, ROUTER, described
from workings.derivations.parameters.feed_forward import BLOCK_NORM_PARAMETERS
from workings.derivations.parameters.mixtures import ROUTER_PARAMETERS
from workings.derivations.sources import megatron_lm, scaling_book
from workings.derivations.tensor_parallel._letters import LAYER
from workings.derivations.tensor_parallel._sources import MEGATRON_SPLIT
from workings.derivations.tensor_parallel._work import forward_flops
from workings.simulate.head_placement import deal_heads
from workings.simulate.rank_tensors import Layer, block, mixture, on_rank
from workings.units import FLOP, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.layout import TP
from workings.vocabulary.model import (
    D_MODEL,
    FFN_BIAS,
    HEAD_DIM,
    HEADS,
    KV_HEADS,
    KV_RANK,
    NORMS,
    OUT_BIAS,
    Q_RANK,
    ROPE_DIM,
    SHARED_GATE,
)

# As many query heads on each rank, as many for each key and value head; and either whole key and
# value heads on each rank or whole groups of ranks for each of them.
EVEN = ("t divides H", "K divides H", "floor(max(t, K)/min(t, K)) = max(t, K)/min(t, K)")

EVEN_IN_WORDS = (
    "Query heads are shared evenly, and either `t` divides `K` or `K` divides `t`: ranks that have no "
    "key and value head of their own hold a copy."
)

HEAD_COUNTS = {"t": TP, "H": HEADS, "K": KV_HEADS}

VLLM_HEADS = Source(
    "vLLM project",
    "vLLM",
    2024,
    "vllm/model_executor/models/llama.py, LlamaAttention",
    "https://github.com/vllm-project/vllm/blob/main/vllm/model_executor/models/llama.py",
)

ATTENTION = {**HEAD_COUNTS, "D": D_MODEL, "d_h": HEAD_DIM}

CONVENTION = (
    "Column-parallel products cut their output and its bias, row-parallel ones their input: their bias "
    "is added once, after the sum, and every rank holds it."
)


def hold_what_the_queries_need(t: int, H: int, K: int) -> int:
    """Query heads dealt out; the different key and value heads that a rank's queries belong to."""
    return max(len(held) for held in deal_heads(H, K, t).keys)


TP_KV_HEADS = derivation(
    "tp-kv-heads",
    title="Key and value heads on a tensor-parallel rank",
    phrases="local KV heads; KV heads per TP rank, at least one; num_query_groups divided among TP "
    "ranks; GQA heads divided by tensor slices; num_key_value_heads smaller than tp; number of key "
    "heads on each card",
    unit=ONE,
    noun="heads",
    letters=HEAD_COUNTS,
    given=EVEN,
    source=VLLM_HEADS,
    oracle=hold_what_the_queries_need,
    convention=EVEN_IN_WORDS,
    chain="""
    K_t = max(K/t, 1)             -- a `t`-th of them, but one at least: half a head is of no use
      = max(K, t)/t               -- one denominator
    """,
)


def look_for_a_head_on_every_rank(t: int, H: int, K: int) -> Fraction:
    """Query heads dealt out; for each key and value head the ranks that hold it, their mean."""
    dealt = deal_heads(H, K, t)
    return Fraction(sum(dealt.copies(head) for head in range(K)), K)


TP_KV_COPIES = like(
    "tp-kv-copies",
    TP_KV_HEADS,
    title="Copies of each key and value head in a tensor-parallel group",
    phrases="KV head replication factor; duplicates of KV heads when TP exceeds KV heads; "
    "num_query_groups smaller than tp; TP larger than number of kv heads; TP 16 with 8 kv heads",
    noun="copies",
    uses={"K_t": TP_KV_HEADS.at()},
    oracle=look_for_a_head_on_every_rank,
    chain="""
    n_kv = t*K_t/K                -- heads held by all ranks, over different heads
      = t*(max(K, t)/t)/K         -- put it in
      = max(K, t)/K               -- `t` cancels
      = max(1, t/K)               -- one while there are enough heads, `t/K` beyond
    """,
)


def find_a_head_for_every_rank(t: int, H: int, K: int) -> bool:
    """Query heads dealt out; whether no key and value head lies on two ranks."""
    dealt = deal_heads(H, K, t)
    return max(dealt.copies(head) for head in range(K)) == 1


TP_OWN_KV_HEADS = like(
    "tp-own-kv-heads",
    TP_KV_HEADS,
    title="Tensor-parallel degree up to which every rank has key and value heads of its own",
    phrases="sharding the KV cache along heads; how far can KV caches be sharded; more chips than heads; "
    "head replication in multihead sharding; n_chips > n_heads; largest TP without replicating KV heads; "
    "tensor parallel size up to num_key_value_heads; when do KV heads start "
    "to be copied; from which TP degree are heads replicated or padded",
    noun="devices",
    source=scaling_book("inference", "part 7, “Sharding the KV cache”"),
    oracle=find_a_head_for_every_rank,
    convention=f"{EVEN_IN_WORDS} With multi-head attention `K` is the number of all heads, and beyond it "
    "query heads too are copied or padded.",
    chain="""
    K/t >= 1            -- a whole head for each rank at least
      <=> t <= K        -- as many ranks as there are heads
    """,
)


def add_up_a_ranks_heads(t: int, H: int, K: int, D: int, d_h: int) -> int:
    """Query heads dealt out with the key and value heads they need; a rank's weights added up."""
    dealt = deal_heads(H, K, t)
    return max(dealt.values(rank, D, d_h) for rank in range(t))


TP_ATTENTION_PARAMETERS = like(
    "tp-attention-parameters",
    TP_KV_HEADS,
    title="Attention parameters on a tensor-parallel rank",
    phrases="attention weights per TP rank; sharded QKVO with replicated KV; linear_qkv and linear_proj "
    "local size; Q K V O slices on each card; QKV and output shard per GPU",
    noun="parameters",
    letters=ATTENTION,
    uses={"K_t": TP_KV_HEADS.at()},
    oracle=add_up_a_ranks_heads,
    convention=f"One block. {EVEN_IN_WORDS}",
    leaves_out="Biases and norms.",
    chain="""
    P_t = (H/t)*D*d_h + 2*K_t*D*d_h + (H/t)*d_h*D    -- queries; keys and values; rows of the output
      = 2*D*d_h*(H/t + K_t)                          -- collect
      = 2*D*d_h*(H + max(K, t))/t                    -- beyond `K` ranks keys and values shrink no more
    """,
)


def whole(layers: Iterable[Layer]) -> int:
    """Values of the tensors that no rank cuts, as the second rank of a group holds them."""
    return sum(on_rank(layer, 2, 1) for layer in layers if not layer.units)


def list_what_is_whole(**letters: Any) -> int:
    """The tensors of a block placed on tensor-parallel ranks; those that no rank cuts, added up."""
    return whole(block(described(**letters), experts=False))


TP_COPIED_BLOCK_PARAMETERS = derivation(
    "tp-copied-block-parameters",
    title="Parameters of a block that every tensor-parallel rank holds whole",
    phrases="replicated parameters under TP dense layer; norms and row-parallel biases; layernorm "
    "replicated across TP; what does tensor parallelism not split; non-sharded params in a TP layer; "
    "params duplicated on each TP rank; what every card keeps in full under TP",
    unit=ONE,
    noun="parameters",
    letters={**BLOCK_NORMS, "beta_o": OUT_BIAS, "beta_f": FFN_BIAS},
    uses={"P_norms": BLOCK_NORM_PARAMETERS.at()},
    source=megatron_lm(
        "megatron/core/tensor_parallel/layers.py", "ColumnParallelLinear and RowParallelLinear"
    ),
    oracle=list_what_is_whole,
    convention=CONVENTION,
    leaves_out="Key and value heads that ranks hold in copies where there are more ranks than heads.",
    chain="""
    R_b = P_norms + beta_o*D + beta_f*D
                          -- norms; the biases of attention's output and of the feed-forward's last matrix
      = (1 + beta_n)*(n_n*D + n_qk*d_h) + (beta_o + beta_f)*D      -- the norms' parameters put in
    """,
)


TP_COPIED_LATENT_BLOCK_PARAMETERS = derivation(
    "tp-copied-latent-block-parameters",
    title="Parameters of a block with MLA that every tensor-parallel rank holds whole",
    phrases="replicated parameters under TP for MLA; down projections copied; DeepSeek weights that TP "
    "does not split; kv_a_proj duplicated on tp ranks",
    unit=ONE,
    noun="parameters",
    letters={
        **NORM, "n_n": NORMS, "r_q": Q_RANK, "r_kv": KV_RANK, "d_r": ROPE_DIM, "beta_f": FFN_BIAS,
    },
    source=megatron_lm(
        "megatron/core/transformer/multi_latent_attention.py", "_qkv_down_projection"
    ),
    oracle=list_what_is_whole,
    convention=CONVENTION + " The ways down to the latents are whole, the ways up are cut by heads.",
    chain="""
    R_mla = n_n*(1 + beta_n)*D + D*r_q + r_q + D*(r_kv + d_r) + r_kv + beta_f*D
                               -- norms; both ways down, and each latent's own norm; a bias
      = (n_n*(1 + beta_n) + r_q + r_kv + d_r + beta_f)*D + r_q + r_kv        -- collect
    """,
)  # fmt: skip


def list_a_mixtures_whole_tensors(**letters: Any) -> int:
    """The tensors of a mixture placed on tensor-parallel ranks; those that no rank cuts, added up."""
    return whole(mixture(described(**letters)))


TP_COPIED_MIXTURE_PARAMETERS = derivation(
    "tp-copied-mixture-parameters",
    title="Parameters of a mixture that every tensor-parallel rank holds whole",
    phrases="replicated router under TP; MoE gate copies; MoE weights that TP does not split; router "
    "replicated across TP",
    unit=ONE,
    noun="parameters",
    letters={**ROUTER, "beta_s": SHARED_GATE},
    uses={"P_router": ROUTER_PARAMETERS.at()},
    source=megatron_lm("megatron/core/transformer/moe/router.py", "Router.weight"),
    oracle=list_a_mixtures_whole_tensors,
    convention="Beside attention and norms. Every rank scores its tokens with the whole router.",
    chain="""
    R_mix = P_router + beta_s*D           -- the router, and the gate of the shared experts
      = E*(D + beta_r) + beta_s*D         -- its vectors and biases put in
    """,
)


TP_LAYER_FLOPS = derivation(
    "tp-layer-flops",
    title="FLOPs of one tensor-parallel rank in a layer, forward",
    phrases="FLOPs per TP rank per layer forward; sharded layer compute; work of one card when layer is "
    "sliced; how much work does each TP rank do; operations per device divided by t; compute per GPU "
    "per layer under TP",
    unit=FLOP,
    fractional="ranks with uneven shares count by their mean",
    letters=LAYER,
    given=("c divides s",),
    source=MEGATRON_SPLIT,
    oracle=forward_flops,
    convention="One micro-batch; full attention (what a causal mask hides is computed too).",
    leaves_out="Norms, residuals, the softmax and the activation function; copies of key and value heads "
    "where there are fewer of them than ranks.",
    ledger=(
        Row("queries and output", "2*(2[FLOP]*b_m*(s/c)*D*H*d_h)", "heads are split", split="t"),
        Row("keys and values", "2*(2[FLOP]*b_m*(s/c)*D*K*d_h)", "heads are split", split="t"),
        Row("scores and weighted values", "2*(2[FLOP]*b_m*(s/c)*s*H*d_h)",
            "own tokens with all tokens", split="t"),
        Row("feed-forward", "n_f*(2[FLOP]*b_m*(s/c)*D*F)", "hidden columns are split", split="t"),
    ),
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    f_TP = rows                               -- every product is split over the `t` ranks
      = b_m*s/(c*t)*(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + 2[FLOP]*n_f*D*F)
                                              -- tokens of a rank, times FLOPs a token
    """,
)  # fmt: skip
