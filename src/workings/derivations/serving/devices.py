"""What fits.

A device that serves holds its share of the weights, and fills what is left with the cache. Tensor
parallelism divides both by its degree, but a key and value head at least stays on every rank, and a
latent is whole on each. What is left over the bytes of a token is how many tokens a group of devices can
keep, whoever they belong to: many short sequences or few long ones.
"""

from collections.abc import Iterable
from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivation.chain import Row
from workings.derivation.entry import only_if
from workings.derivations.serving._sources import (
    PAGED_ATTENTION,
    SCALING_BOOK_LLAMA,
    SGLANG_MLA,
)
from workings.derivations.serving.kv_cache import (
    CACHE,
    FEW,
    KV_TOKEN_BYTES,
    LATENT_CACHE,
    MLA_TOKEN_BYTES,
    SEQUENCES,
)
from workings.derivations.tensor_parallel.shares import EVEN, EVEN_IN_WORDS, TP_KV_COPIES, VLLM_HEADS
from workings.simulate.kv_cache import decode, fullest_rank, grouped, latent, stored
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.layout import TP
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.model import HEADS, PARAMETERS
from workings.vocabulary.serving import SERVED_WIDTH
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

RANK_CACHE = {"t": TP, "H": HEADS, **CACHE}


def numbers_on_a_rank(b: int, s: int, t: int, H: int, L: int, K: int, d_h: int) -> Iterable[int]:
    """Sequences fed to the rank of a group that holds most heads; the numbers that it keeps."""
    only_if(b * s * L * K * d_h <= FEW)
    return decode(b, s, [grouped(fullest_rank(H, K, t), d_h)] * L)


def feed_the_fullest_rank(w_kv: Fraction, **sizes: int) -> Fraction:
    """Query heads dealt out; one token's keys and values that a rank needs for its own, counted."""
    return stored(numbers_on_a_rank(1, 1, **sizes), w_kv)


TP_KV_TOKEN_BYTES = derivation(
    "tp-kv-token-bytes",
    title="Bytes of the KV cache for one token on a tensor-parallel rank",
    phrases="KV cache per GPU with tensor parallelism; cache of a token split over TP ranks; does "
    "tensor parallelism divide the kv cache; KV cache replicated when TP exceeds kv heads; per-rank kv "
    "cache bytes per token",
    unit=BYTE,
    letters=RANK_CACHE,
    uses={"m_tok": KV_TOKEN_BYTES.at(), "n_kv": TP_KV_COPIES.at()},
    given=EVEN,
    source=VLLM_HEADS,
    oracle=feed_the_fullest_rank,
    convention=EVEN_IN_WORDS
    + " Where ranks that would hold copies share sequences or tokens instead, each keeps less.",
    leaves_out="Scales of a quantized cache.",
    holds_for={WITHOUT_LATENT: "mla-token-bytes"},
    chain="""
    m_t = m_tok*n_kv/t                        -- copies counted, what all heads keep is shared by `t`
      = 2*L*K*d_h*w_kv*max(1, t/K)/t          -- a token's bytes and the copies put in
      = 2*L*max(K/t, 1)*d_h*w_kv              -- one head at least: beyond `K` ranks it shrinks no more
    """,
)


def share_weights(P: int, w: Fraction, t: int) -> Fraction:
    """Weights dealt out to ranks in turn; the bytes of the rank that holds most."""
    only_if(P <= FEW)
    held = [Fraction(0)] * t
    for weight in range(P):
        held[weight % t] += w
    return max(held)


def load_and_feed(P: int, w: Fraction, w_kv: Fraction, **sizes: int) -> Fraction:
    """Weights dealt out, then sequences fed token by token to the fullest rank; its bytes, counted."""
    cached = stored(numbers_on_a_rank(**sizes), w_kv)
    return share_weights(P, w, sizes["t"]) + cached


WEIGHTS = {"P": PARAMETERS, "w": SERVED_WIDTH}
NOT_COUNTED = (
    "Activations of a step, graphs and the libraries' own memory: engines measure them, and take a share "
    "of the device's memory for all. What every rank holds whole, such as norms."
)

SERVING_MEMORY = derivation(
    "serving-memory",
    title="Memory of a device that serves a model, weights and KV cache",
    phrases="weights plus KV cache must fit; "
    "GPU memory for inference; how much VRAM to serve Llama 70B; inference memory per GPU with "
    "tensor parallelism; weights plus kv cache memory; memory needed to serve a batch at 32k context; "
    "does the model with its kv cache fit on 8 GPUs for serving",
    unit=BYTE,
    letters={**WEIGHTS, **SEQUENCES, **RANK_CACHE},
    uses={"m_t": TP_KV_TOKEN_BYTES.at()},
    given=EVEN,
    source=SCALING_BOOK_LLAMA,
    oracle=load_and_feed,
    convention="A group of `t` tensor-parallel devices serves `b` sequences of `s` tokens each. "
    + EVEN_IN_WORDS,
    leaves_out=NOT_COUNTED,
    ledger=(
        Row("weights", "ceil(P/t)*w", "each rank holds its share"),
        Row("cache", "b*s*m_t", "every token of every sequence, of the rank's heads"),
    ),
    holds_for={WITHOUT_LATENT: "mla-serving-memory"},
    chain="""
    M_srv = rows                              -- add the rows
      = ceil(P/t)*w + 2*b*s*L*max(K/t, 1)*d_h*w_kv      -- a token's bytes on a rank put in
    """,
)


def load_and_feed_latents(
    P: int, w: Fraction, t: int, b: int, s: int, L: int, r_kv: int, d_r: int, w_kv: Fraction
) -> Fraction:
    """Weights dealt out, then sequences fed to latent attention, whole on every rank; bytes counted."""
    only_if(b * s * L * (r_kv + d_r) <= FEW)
    return share_weights(P, w, t) + stored(decode(b, s, [latent(r_kv, d_r)] * L), w_kv)


MLA_SERVING_MEMORY = like(
    "mla-serving-memory",
    SERVING_MEMORY,
    title="Memory of a device that serves a model with multi-head latent attention (MLA)",
    phrases="memory to serve DeepSeek-V3; VRAM for DeepSeek inference on 8 GPUs; latent cache and "
    "weights per GPU; inference memory of DeepSeek with tensor parallelism",
    letters={**WEIGHTS, "t": TP, **SEQUENCES, **LATENT_CACHE},
    uses={"m_lat": MLA_TOKEN_BYTES.at()},
    given=(),
    source=SGLANG_MLA,
    oracle=load_and_feed_latents,
    convention="A group of `t` tensor-parallel devices serves `b` sequences of `s` tokens each. All "
    "heads need the same latent: every rank keeps it whole.",
    ledger=(
        Row("weights", "ceil(P/t)*w", "each rank holds its share"),
        Row("cache", "b*s*m_lat", "every token of every sequence, whole on each rank"),
    ),
    holds_for={LATENT_ATTENTION: "serving-memory"},
    chain="""
    M_mla = rows                              -- add the rows
      = ceil(P/t)*w + b*s*L*(r_kv + d_r)*w_kv       -- a token's bytes put in
    """,
)


ROOM = {"M_max": DEVICE_MEMORY, **WEIGHTS}
WEIGHTS_FIT = "M_max > ceil(P/t)*w -- the weights alone do not fit"
OF_THE_MEMORY = "`M_max` is what an engine may take: where it is told a share, set that much. "


def fill(room: Fraction, each: Fraction) -> int:
    """How many of a size find room, one after another."""
    only_if(room <= FEW * each)
    used, number = Fraction(0), 0
    while used + each <= room:
        used, number = used + each, number + 1
    return number


def keep_tokens_until_full(M_max: Fraction, P: int, w: Fraction, w_kv: Fraction, **sizes: int) -> int:
    """Weights dealt out; then one token after another kept on the fullest rank while there is room."""
    token = stored(numbers_on_a_rank(1, 1, **sizes), w_kv)
    return fill(M_max - share_weights(P, w, sizes["t"]), token)


CACHE_TOKENS = derivation(
    "cache-tokens",
    title="Tokens whose KV cache fits beside the weights",
    phrases="bytes left for the cache beside the weights; memory left after the weights; "
    "GPU KV cache size in tokens vLLM prints; how many tokens fit in the kv cache; KV cache "
    "capacity of a GPU; cache slots; free memory after weights over kv bytes per token; how many "
    "tokens in flight can an H100 hold",
    unit=ONE,
    noun="tokens",
    letters={**ROOM, **RANK_CACHE},
    uses={"m_t": TP_KV_TOKEN_BYTES.at()},
    given=(WEIGHTS_FIT, *EVEN),
    source=PAGED_ATTENTION.at("section 6.1, table 1"),
    oracle=keep_tokens_until_full,
    convention=OF_THE_MEMORY + "Of a whole group of `t` devices, all its sequences together.",
    leaves_out=NOT_COUNTED,
    holds_for={WITHOUT_LATENT: "mla-cache-tokens"},
    chain="""
    n_tok = floor((M_max - ceil(P/t)*w)/m_t)        -- what the weights leave, over a token's bytes
      = floor((M_max - ceil(P/t)*w)/(2*L*max(K/t, 1)*d_h*w_kv))      -- a token's bytes on a rank put in
    """,
)


def keep_latents_until_full(
    M_max: Fraction, P: int, w: Fraction, t: int, L: int, r_kv: int, d_r: int, w_kv: Fraction
) -> int:
    """Weights dealt out; then one token's latents after another kept while there is room."""
    only_if(L * (r_kv + d_r) <= FEW)
    token = stored(decode(1, 1, [latent(r_kv, d_r)] * L), w_kv)
    return fill(M_max - share_weights(P, w, t), token)


MLA_CACHE_TOKENS = like(
    "mla-cache-tokens",
    CACHE_TOKENS,
    title="Tokens whose cache fits beside the weights with multi-head latent attention (MLA)",
    phrases="KV cache capacity when serving DeepSeek-V3; how many tokens fit on 8 H200 with MLA; latent "
    "cache slots of a GPU",
    letters={**ROOM, "t": TP, **LATENT_CACHE},
    uses={"m_lat": MLA_TOKEN_BYTES.at()},
    given=(WEIGHTS_FIT,),
    source=SGLANG_MLA,
    oracle=keep_latents_until_full,
    convention=OF_THE_MEMORY + "Every rank of the group keeps the latents whole.",
    holds_for={LATENT_ATTENTION: "cache-tokens"},
    chain="""
    n_mla = floor((M_max - ceil(P/t)*w)/m_lat)      -- what the weights leave, over a token's bytes
      = floor((M_max - ceil(P/t)*w)/(L*(r_kv + d_r)*w_kv))      -- a token's bytes put in
    """,
)


def admit_sequences_until_full(
    M_max: Fraction, P: int, w: Fraction, s: int, w_kv: Fraction, **sizes: int
) -> int:
    """Weights dealt out; then one sequence after another, fed whole, while there is room."""
    sequence = stored(numbers_on_a_rank(1, s, **sizes), w_kv)
    return fill(M_max - share_weights(P, w, sizes["t"]), sequence)


LARGEST_SERVING_BATCH = derivation(
    "largest-serving-batch",
    title="Largest batch of sequences that can be served at once",
    phrases="how many concurrent users fit on a GPU when serving Llama 70B; maximum concurrency in vLLM; "
    "max batch size for inference at a context length; how many sequences fit beside the weights; "
    "concurrent requests on an H100 by memory; most sequences in flight on a server",
    unit=ONE,
    noun="sequences",
    letters={**ROOM, "s": SEQUENCE_LENGTH, **RANK_CACHE},
    uses={"n_tok": CACHE_TOKENS.at()},
    given=(WEIGHTS_FIT, *EVEN),
    source=SCALING_BOOK_LLAMA,
    oracle=admit_sequences_until_full,
    convention=OF_THE_MEMORY + "Every sequence has grown to `s` tokens; of a whole group of `t` devices.",
    leaves_out=NOT_COUNTED,
    holds_for={WITHOUT_LATENT: "mla-largest-serving-batch"},
    chain="""
    b_max = floor(n_tok/s)      -- whole sequences, of all the tokens that fit
    """,
)


def admit_latents_until_full(
    M_max: Fraction, P: int, w: Fraction, s: int, w_kv: Fraction, **sizes: int
) -> int:
    """Weights dealt out; then one sequence's latents after another, kept whole, while there is room."""
    only_if(s * sizes["L"] * (sizes["r_kv"] + sizes["d_r"]) <= FEW)
    block = latent(sizes["r_kv"], sizes["d_r"])
    sequence = stored(decode(1, s, [block] * sizes["L"]), w_kv)
    return fill(M_max - share_weights(P, w, sizes["t"]), sequence)


MLA_LARGEST_SERVING_BATCH = like(
    "mla-largest-serving-batch",
    LARGEST_SERVING_BATCH,
    title="Largest batch served at once with multi-head latent attention (MLA)",
    phrases="how many DeepSeek-V3 requests fit on 8 H200; maximum concurrency of an MLA model in vLLM; "
    "DeepSeek sequences that fit beside the weights",
    letters={**ROOM, "s": SEQUENCE_LENGTH, "t": TP, **LATENT_CACHE},
    uses={"n_mla": MLA_CACHE_TOKENS.at()},
    given=(WEIGHTS_FIT,),
    source=SGLANG_MLA,
    oracle=admit_latents_until_full,
    convention=OF_THE_MEMORY
    + "Every sequence has grown to `s` tokens; every rank keeps the latents whole.",
    holds_for={LATENT_ATTENTION: "largest-serving-batch"},
    chain="""
    b_mla = floor(n_mla/s)      -- whole sequences, of all the tokens that fit
    """,
)


def grow_sequences_until_full(
    M_max: Fraction, P: int, w: Fraction, b: int, w_kv: Fraction, **sizes: int
) -> int:
    """Weights dealt out; then a token more for every sequence, again and again, while there is room."""
    tokens = stored(numbers_on_a_rank(b, 1, **sizes), w_kv)
    return fill(M_max - share_weights(P, w, sizes["t"]), tokens)


LONGEST_SERVING_CONTEXT = like(
    "longest-serving-context",
    LARGEST_SERVING_BATCH,
    title="Longest context that sequences served at once can grow to",
    phrases="maximum context length that fits in GPU memory; max_model_len that fits; how long a prompt "
    "can I serve on one GPU; longest sequence the kv cache can hold; can I serve 128k context on 8 GPUs",
    noun="tokens",
    letters={**ROOM, "b": BATCH, **RANK_CACHE},
    holds_for={WITHOUT_LATENT: ""},
    oracle=grow_sequences_until_full,
    convention=OF_THE_MEMORY + "All `b` sequences grow alike; one sequence is `b = 1`. What positions "
    "the model was trained on is another limit.",
    chain="""
    s_fit = floor(n_tok/b)      -- as many tokens for each sequence, of all that fit
    """,
)
