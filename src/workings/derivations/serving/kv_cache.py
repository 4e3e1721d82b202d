"""The KV cache.

Attention to earlier tokens needs their keys and values in every block, and a server keeps them. How much
that is for one token depends on key and value heads, not on query heads; latent attention keeps one short
vector in their place, and a quantized cache keeps fewer bits and a scale for each group. Sequences and
their tokens multiply it. The last entry weighs both kinds of cache: how many heads one latent is worth.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivation.entry import only_if
from workings.derivations.serving._sources import (
    DEEPSEEK_V2,
    PAGED_ATTENTION,
    SCALING_BOOK_CACHE,
    SCALING_BOOK_TRICKS,
    vllm_cache,
)
from workings.simulate.kv_cache import Block, decode, grouped, latent, quantized, stored
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.model import (
    BLOCKS,
    HEAD_DIM,
    HEADS,
    KV_HEADS,
    KV_RANK,
    NOPE_DIM,
    ROPE_DIM,
    V_DIM,
)
from workings.vocabulary.serving import (
    CACHE_WIDTH,
    QUANTIZED_WIDTH,
    SCALE_WIDTH,
    ZERO_POINT_WIDTH,
)
from workings.vocabulary.state import QUANT_BLOCK
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

FEW = 20_000  # numbers that an oracle keeps

CACHE = {"L": BLOCKS, "K": KV_HEADS, "d_h": HEAD_DIM, "w_kv": CACHE_WIDTH}
SEQUENCES = {"b": BATCH, "s": SEQUENCE_LENGTH}

ALL_TOKENS = "Every block keeps all tokens, as full attention needs; blocks with a window keep fewer."


def feed_one_token(L: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """A decoder fed one token; every number of its keys and values that is kept, counted."""
    only_if(L * K * d_h <= FEW)
    return stored(decode(1, 1, [grouped(range(K), d_h)] * L), w_kv)


KV_TOKEN_BYTES = derivation(
    "kv-token-bytes",
    title="Bytes of the KV cache for one token",
    phrases="KV cache elements per token; KV cache of a token over all layers; "
    "KV cache per token; 2 * layers * kv_heads * head_dim * bytes; how big is the kv cache of "
    "one token; 0.5 MB per token Llama-2 7B; cached keys and values of a token; KV cache bytes per "
    "token with GQA and fp8 cache; 320 KB per token for Llama 70B; key value cache entry size",
    unit=BYTE,
    letters=CACHE,
    source=PAGED_ATTENTION,
    oracle=feed_one_token,
    convention="Key and value heads count, not query heads: `K = H` is multi-head attention, `K = 1` "
    f"multi-query attention. {ALL_TOKENS}",
    leaves_out="Scales of a quantized cache.",
    holds_for={WITHOUT_LATENT: "mla-token-bytes"},
    chain="""
    m_tok = sum(sum(d_h*w_kv + d_h*w_kv, (i, 1, K)), (j, 1, L))
                                       -- a key and a value from each head, in every block
      = L*K*(d_h*w_kv + d_h*w_kv)      -- equal heads, equal blocks
      = 2*L*K*d_h*w_kv                 -- a key is as wide as a value
    """,
)


def feed_every_sequence(b: int, s: int, L: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """Sequences fed token by token; every number that their caches keep, counted."""
    only_if(b * s * L * K * d_h <= FEW)
    return stored(decode(b, s, [grouped(range(K), d_h)] * L), w_kv)


KV_CACHE_BYTES = derivation(
    "kv-cache-bytes",
    title="Bytes of the KV cache of a batch of sequences",
    phrases="KV cache size in int8; "
    "KV cache size; memory of the kv cache for 64 sequences of 8192 tokens; how much memory "
    "does the KV cache take; KV cache size when serving with GQA; key value cache memory at 32k "
    "context; kv cache of a sequence; 2 * bytes * H * K * L * T; cache memory for a batch of requests",
    unit=BYTE,
    letters={**SEQUENCES, **CACHE},
    uses={"m_tok": KV_TOKEN_BYTES.at()},
    source=SCALING_BOOK_CACHE,
    oracle=feed_every_sequence,
    convention="`s` tokens of each sequence, those of its prompt and those generated; one sequence is "
    f"`b = 1`. {ALL_TOKENS}",
    leaves_out="Room that is given out and not filled; scales of a quantized cache.",
    holds_for={WITHOUT_LATENT: "mla-cache-bytes"},
    chain="""
    M_kv = sum(sum(m_tok, (i, 1, s)), (j, 1, b))    -- every token of every sequence
      = b*s*m_tok                                   -- equal sequences
      = 2*b*s*L*K*d_h*w_kv                          -- a token's bytes put in
    """,
)


def compare_with_a_head_for_each_query(H: int, L: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """A token fed to both kinds of decoder; the numbers that one keeps over those of the other."""
    only_if(L * max(H, K) * d_h <= FEW)
    one, other = (decode(1, 1, [grouped(range(n), d_h)] * L) for n in (K, H))
    return stored(one, w_kv) / stored(other, w_kv)


KV_CACHE_SHARE = derivation(
    "kv-cache-share",
    title="KV cache with shared key and value heads over that of multi-head attention",
    phrases="how much does GQA shrink the kv cache; KV cache saving of GQA over MHA; MQA cache "
    "reduction factor; 8x smaller KV cache; num_key_value_heads over num_attention_heads; ratio of "
    "grouped-query cache to multi-head cache",
    unit=ONE,
    letters={"H": HEADS, **CACHE},
    uses={"m_tok": KV_TOKEN_BYTES.at(), "m_mha": KV_TOKEN_BYTES.at(K="H")},
    given=("K <= H",),
    source=SCALING_BOOK_TRICKS,
    oracle=compare_with_a_head_for_each_query,
    convention="The same model with a key and a value head for each query head, in the same width.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    x_kv = m_tok/m_mha                          -- as it is, over a head for each query head
      = 2*L*K*d_h*w_kv/(2*L*H*d_h*w_kv)         -- a token's bytes, both times
      = K/H                                     -- only the heads differ
      <= 1                                      -- `K <= H`
    """,
)


def quantize_one_token(
    L: int, K: int, d_h: int, w_q: Fraction, w_s: Fraction, w_z: Fraction, g: int
) -> Fraction:
    """A token's keys and values packed number by number, each group with its scale and zero point."""
    only_if(L * K * d_h <= FEW)
    return quantized(decode(1, 1, [grouped(range(K), d_h)] * L), g, w_q, w_s + w_z)


QUANTIZED_KV_TOKEN_BYTES = derivation(
    "quantized-kv-token-bytes",
    title="Bytes of a quantized KV cache for one token, scales included",
    phrases="INT4 KV cache with scales per group; FP8 kv cache per token with per-head scales; KV cache "
    "quantization overhead of scales; NVFP4 kv cache bytes; KIVI 2-bit cache group "
    "size 32; int8_per_token_head",
    unit=BYTE,
    letters={
        "L": BLOCKS, "K": KV_HEADS, "d_h": HEAD_DIM, "w_q": QUANTIZED_WIDTH, "w_s": SCALE_WIDTH,
        "w_z": ZERO_POINT_WIDTH, "g": QUANT_BLOCK,
    },
    given=("g divides d_h -- a group would reach into the next head",),
    source=vllm_cache("AttentionSpec.page_size_bytes and FullAttentionSpec.real_page_size_bytes"),
    oracle=quantize_one_token,
    convention="Groups lie in a token's own key or value: `g = d_h` is one scale a head, as for vLLM's "
    "fp8_per_token_head (4 bytes), `g = 16` its nvfp4 (1 byte). `w_z = 0` where there are no zero "
    "points. One scale for a whole tensor is not a byte a token.",
    leaves_out="Tokens that are kept in full width until a group of them is complete.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    m_q = 2*sum(sum(d_h*w_q + (d_h/g)*(w_s + w_z), (i, 1, K)), (j, 1, L))
                                                   -- key and value: numbers, and what each group shares
      = 2*L*K*(d_h*w_q + (d_h/g)*(w_s + w_z))      -- equal heads, equal blocks
      = 2*L*K*d_h*(w_q + (w_s + w_z)/g)            -- a group's scale is spread over its numbers
    """,
)  # fmt: skip


LATENT_CACHE = {"L": BLOCKS, "r_kv": KV_RANK, "d_r": ROPE_DIM, "w_kv": CACHE_WIDTH}


def feed_one_token_to_latents(L: int, r_kv: int, d_r: int, w_kv: Fraction) -> Fraction:
    """A decoder with latent attention fed one token; every number that it keeps, counted."""
    only_if(L * (r_kv + d_r) <= FEW)
    return stored(decode(1, 1, [latent(r_kv, d_r)] * L), w_kv)


MLA_TOKEN_BYTES = derivation(
    "mla-token-bytes",
    title="Bytes that multi-head latent attention (MLA) caches for one token",
    phrases="MLA cache per token per layer; DeepSeek MLA compressed kv cache size per token; latent and "
    "rotary key cache; (d_c + d_h^R) l; kv_lora_rank plus qk_rope_head_dim cache; 576 values per "
    "layer; 70 KB per token for DeepSeek-V3",
    unit=BYTE,
    letters=LATENT_CACHE,
    source=DEEPSEEK_V2,
    oracle=feed_one_token_to_latents,
    convention="The compressed vector, from which every head's key and value are made again, and the "
    "one key that carries the position, which all heads share.",
    leaves_out="Scales of a quantized cache.",
    holds_for={LATENT_ATTENTION: "kv-token-bytes"},
    chain="""
    m_lat = sum(r_kv*w_kv + d_r*w_kv, (i, 1, L))    -- a latent and a rotary key in every block
      = L*(r_kv + d_r)*w_kv                         -- equal blocks, however many heads
    """,
)


def feed_every_sequence_to_latents(
    b: int, s: int, L: int, r_kv: int, d_r: int, w_kv: Fraction
) -> Fraction:
    """Sequences fed token by token to latent attention; every number that is kept, counted."""
    only_if(b * s * L * (r_kv + d_r) <= FEW)
    return stored(decode(b, s, [latent(r_kv, d_r)] * L), w_kv)


MLA_CACHE_BYTES = like(
    "mla-cache-bytes",
    KV_CACHE_BYTES,
    title="Bytes of the cache of a batch of sequences with multi-head latent attention (MLA)",
    phrases="DeepSeek KV cache size at 128k context; MLA cache memory of a batch; latent cache size for "
    "many sequences; how much memory does the DeepSeek-V3 kv cache take",
    letters={**SEQUENCES, **LATENT_CACHE},
    uses={"m_lat": MLA_TOKEN_BYTES.at()},
    source=DEEPSEEK_V2,
    oracle=feed_every_sequence_to_latents,
    convention="`s` tokens of each sequence, those of its prompt and those generated.",
    holds_for={LATENT_ATTENTION: "kv-cache-bytes"},
    chain="""
    M_lat = sum(sum(m_lat, (i, 1, s)), (j, 1, b))   -- every token of every sequence
      = b*s*m_lat                                   -- equal sequences
      = b*s*L*(r_kv + d_r)*w_kv                     -- a token's bytes put in
    """,
)


def weigh_one_head(r_kv: int, d_r: int, d_n: int, d_v: int) -> Fraction:
    """A token fed to a block of latent attention and to one with a single head; the numbers of each."""
    latents, heads = (
        stored(decode(1, 1, [block]), 1)
        for block in (latent(r_kv, d_r), Block({"key": d_n, "value": d_v}))
    )
    return latents / heads


MLA_EQUAL_HEADS = derivation(
    "mla-equal-heads",
    title="Key and value heads whose cache is as large as that of multi-head latent attention (MLA)",
    phrases="MLA equals GQA with 2.25 groups; size of the MLA cache per token and layer vs ordinary "
    "MHA; multi-head latent attention cache against grouped heads; how many GQA groups is the DeepSeek "
    "latent worth",
    unit=ONE,
    noun="heads",
    fractional="a ratio of widths",
    letters={"r_kv": KV_RANK, "d_r": ROPE_DIM, "d_n": NOPE_DIM, "d_v": V_DIM},
    source=DEEPSEEK_V2,
    oracle=weigh_one_head,
    convention="A head as the model has it: a key as wide as its part without position, and a value.",
    holds_for={LATENT_ATTENTION: ""},
    chain="""
    n_g = (r_kv + d_r)/(d_n + d_v)      -- what a block keeps of a token, over what one head would keep
    """,
)
