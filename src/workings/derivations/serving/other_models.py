"""Mixtures, latents and windows in a decode step.

A mixture reads only the experts that the batch uses, but each of them meets few tokens, so that its
products are compute-bound from larger batches on. A latent cache is short, and whole on every device of
the group. Blocks with a window read no more than the window. Each changes what a step reads, and with it
the time that it takes.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.experts._letters import EXPERT, ROUTING
from workings.derivations.experts.distinct import DISTINCT_EXPERT_BYTES, read_what_is_used
from workings.derivations.experts.loads import MOST
from workings.derivations.serving._step import (
    ALIKE,
    CACHE,
    LEAST,
    PEAK,
    READ,
    cache_bytes,
    serving_group,
    weight_bytes,
)
from workings.derivations.serving._time_sources import SCALING_BOOK_ESTIMATES, SCALING_BOOK_MIXTURE
from workings.derivations.serving.decode import DENSE
from workings.derivations.serving.devices import share_weights
from workings.derivations.serving.kv_cache import LATENT_CACHE, MLA_TOKEN_BYTES, SEQUENCES
from workings.derivations.tensor_parallel.shares import EVEN, TP_KV_HEADS
from workings.simulate.kv_cache import Block, decode, grouped, latent, stored
from workings.simulate.routing import even_routes, exchange
from workings.simulate.serving import deal_weights
from workings.simulate.steps import touch_weights
from workings.units import ONE, SECOND
from workings.vocabulary.compute import WINDOW
from workings.vocabulary.kinds import (
    LATENT_ATTENTION,
    WITH_ATTENTION,
    WITH_EXPERTS,
    WITHOUT_EXPERTS,
    WITHOUT_LATENT,
)
from workings.vocabulary.layout import TP
from workings.vocabulary.model import MOE_BLOCKS
from workings.vocabulary.serving import SERVED_WIDTH, WINDOW_BLOCKS
from workings.vocabulary.state import DENSE_PART
from workings.vocabulary.training import BATCH

MOST_NUMBERS = 20_000


def time_one_expert_both_ways(b: int, E: int, k_E: int, w: Fraction, C: Fraction, W_m: Fraction) -> bool:
    """Tokens routed in turn; whether an expert's products with one weight take longer than reading it."""
    only_if(b * k_E <= MOST)
    computed = exchange([even_routes(b, E, k_E)], E).computed
    products = Fraction(sum(touch_weights(1, tokens, passes=1) for tokens in computed if tokens), E)
    return products / C >= w / W_m


MOE_COMPUTE_BOUND_BATCH = derivation(
    "moe-compute-bound-batch",
    title="Batch from which decoding's products with the weights of experts are compute-bound",
    phrases="critical batch size of a mixture of experts; 240 E/k; batch to keep MoE decoding "
    "compute-bound; sparsity raises the critical batch; how many sequences until experts are "
    "compute-bound; B_crit of a sparse model",
    unit=ONE,
    noun="sequences",
    letters={"b": BATCH, **ROUTING, "w": SERVED_WIDTH, **PEAK},
    given=("k_E <= E",),
    source=SCALING_BOOK_MIXTURE,
    oracle=time_one_expert_both_ways,
    convention="Even routing: each expert meets `k_E` of `E` tokens of the batch, and its weights are "
    "read once. Attention's weights are compute-bound from decode-compute-bound-batch on.",
    leaves_out="Reading and writing activations; experts that no token of a small batch uses.",
    holds_for={WITH_EXPERTS: "decode-compute-bound-batch"},
    chain="""
    2[FLOP]*(b*k_E/E)/C >= w/W_m             -- for a weight of an expert, its products against reading it
      <=> b >= E/k_E*(w*C/(2[FLOP]*W_m))     -- solve for the batch: `E/k_E` times that of dense weights
    """,
)


def read_used_experts_and_caches(
    b: int, E: int, k_E: int, D: int, F_E: int, n_f: int, L_E: int, P_base: int,
    w: Fraction, w_kv: Fraction, d_h: int, W_m: Fraction, **held: int,
) -> Fraction:  # fmt: skip
    """Dense weights and caches dealt out and read, and in all routings the experts used; mean time."""
    group = serving_group(b=b, P=P_base, **held)
    used = read_what_is_used(E=E, k_E=k_E, T_g=b, D=D, F_E=F_E, n_f=n_f, L_E=L_E, w=w) / len(group)
    return (weight_bytes(group, w) + used + cache_bytes(group, d_h, w_kv)) / W_m


MIXTURE = {**ROUTING, **EXPERT, "L_E": MOE_BLOCKS, "P_base": DENSE_PART}
USED = (
    f"Tokens choose their experts at random; the mean over routings, and over the `t` devices that share "
    f"all experts evenly. {ALIKE} {LEAST}"
)

MOE_DECODE_MEMORY_TIME = derivation(
    "moe-decode-memory-time",
    title="Memory time of a decode step of a mixture of experts",
    phrases="decode latency of Mixtral; inter-token time of an MoE by the experts its batch reads; "
    "bandwidth-bound step of a sparse model; how fast does a mixture decode at batch 8; MoE token time "
    "from activated expert bytes; time per token of a mixture of experts",
    unit=SECOND,
    letters={
        **{key: READ[key] for key in READ if key != "P"}, **MIXTURE, "W_m": PEAK["W_m"],
    },
    uses={"K_t": TP_KV_HEADS.at(), "V_u": DISTINCT_EXPERT_BYTES.at(T_g="b")},
    given=(*EVEN, "k_E <= E"),
    source=SCALING_BOOK_MIXTURE,
    oracle=read_used_experts_and_caches,
    convention=USED,
    leaves_out="Compute, and transfers between devices; the device with the most experts that are used.",
    holds_for={
        WITH_EXPERTS: "decode-memory-time", WITH_ATTENTION: "",
        WITHOUT_LATENT: "mla-moe-decode-memory-time",
    },
    chain="""
    T_moe = (w*P_base/t + V_u/t + sum(2*w_kv*L*K_t*d_h*b, (i, 1, s)))/W_m
                                     -- weights that all tokens meet, experts that are used, and caches
      = ((w*P_base + V_u)/t + 2*w_kv*L*K_t*d_h*b*s)/W_m      -- equal tokens
    """,
)  # fmt: skip


def read_latents(
    b: int,
    s: int,
    L: int,
    r_kv: int,
    d_r: int,
    w_kv: Fraction,
    P: int,
    w: Fraction,
    t: int,
    W_m: Fraction,
) -> Fraction:
    """Weights dealt out; latents of all sequences fed to every device whole, and read."""
    only_if(b * s * L * (r_kv + d_r) <= MOST_NUMBERS and P <= MOST_NUMBERS)
    cache = stored(decode(b, s, [latent(r_kv, d_r)] * L), w_kv)
    return (share_weights(P, w, t) + cache) / W_m


MLA_DECODE_MEMORY_TIME = derivation(
    "mla-decode-memory-time",
    title="Memory time of a decode step with multi-head latent attention (MLA)",
    phrases="decode latency of a model with latent cache; time per token with MLA; bandwidth-bound step "
    "reading compressed keys and values; MLA inter-token latency; how fast does DeepSeek's attention "
    "decode; latent cache read time",
    unit=SECOND,
    letters={
        "P": READ["P"], "w": SERVED_WIDTH, "t": TP, **SEQUENCES, **LATENT_CACHE, "W_m": PEAK["W_m"],
    },
    uses={"m_lat": MLA_TOKEN_BYTES.at()},
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_latents,
    convention=f"All weights once, shared by `t` devices, of which the one with most counts; each "
    f"reads all latents. {ALIKE} {LEAST}",
    leaves_out="Compute, which the absorbed products of many heads raise; transfers between devices.",
    holds_for={LATENT_ATTENTION: "decode-memory-time", WITHOUT_EXPERTS: "mla-moe-decode-memory-time"},
    chain="""
    T_lat = (ceil(P/t)*w + sum(sum(m_lat, (i, 1, s)), (j, 1, b)))/W_m       -- weights, and all latents
      = (ceil(P/t)*w + b*s*m_lat)/W_m                                       -- equal sequences
      = (ceil(P/t)*w + b*s*L*(r_kv + d_r)*w_kv)/W_m                         -- a token's latents put in
    """,
)  # fmt: skip


def read_used_experts_and_latents(
    b: int, E: int, k_E: int, D: int, F_E: int, n_f: int, L_E: int, P_base: int, w: Fraction,
    W_m: Fraction, **held: Any,
) -> Fraction:  # fmt: skip
    """In all routings the experts used, and a device's part of them; dense weights and latents read."""
    used = read_what_is_used(E=E, k_E=k_E, T_g=b, D=D, F_E=F_E, n_f=n_f, L_E=L_E, w=w)
    return read_latents(b=b, P=P_base, w=w, W_m=W_m, **held) + used / int(held["t"]) / W_m


MLA_MOE_DECODE_MEMORY_TIME = like(
    "mla-moe-decode-memory-time",
    MLA_DECODE_MEMORY_TIME,
    title="Memory time of a decode step of a mixture with multi-head latent attention (MLA)",
    phrases="decode step of DeepSeek-V3; inter-token latency of a DeepSeek mixture; time per token of "
    "MLA with experts; bytes read by DeepSeek-V3 for each token over bandwidth; Kimi K2 decode speed; "
    "latent cache and activated experts read time",
    letters={
        **MIXTURE, "w": SERVED_WIDTH, "t": TP, **SEQUENCES, **LATENT_CACHE, "W_m": PEAK["W_m"],
    },
    uses={"m_lat": MLA_TOKEN_BYTES.at(), "V_u": DISTINCT_EXPERT_BYTES.at(T_g="b")},
    given=("k_E <= E", "t divides F_E -- devices hold unlike parts of an expert"),
    source=SCALING_BOOK_MIXTURE,
    oracle=read_used_experts_and_latents,
    convention=f"{USED} Each device reads all latents.",
    holds_for={LATENT_ATTENTION: "moe-decode-memory-time", WITH_EXPERTS: ""},
    chain="""
    T_mix = (ceil(P_base/t)*w + V_u/t + sum(b*m_lat, (i, 1, s)))/W_m
                                     -- weights that all tokens meet, experts that are used, and latents
      = (ceil(P_base/t)*w + V_u/t + b*s*L*(r_kv + d_r)*w_kv)/W_m      -- equal tokens; latents put in
    """,
)  # fmt: skip


def read_what_windows_keep(
    b: int, s: int, L: int, L_w: int, s_w: int, K: int, d_h: int, w_kv: Fraction, P: int, w: Fraction,
    t: int, W_m: Fraction,
) -> Fraction:  # fmt: skip
    """Weights dealt out; sequences fed token by token, full windows dropping their oldest; all read."""
    only_if(L_w <= L and b * s * L * K * d_h <= MOST_NUMBERS and P <= MOST_NUMBERS)
    full = grouped(range(K // t), d_h)
    blocks = [full] * (L - L_w) + [Block(full.vectors, window=s_w)] * L_w
    return (weight_bytes(deal_weights(P, t), w) + stored(decode(b, s, blocks), w_kv)) / W_m


WINDOW_DECODE_MEMORY_TIME = derivation(
    "window-decode-memory-time",
    title="Memory time of a decode step of a model with sliding-window blocks",
    phrases="decode latency with sliding window attention; Gemma inter-token time at long context; time "
    "per token with local and global layers; does a window speed up decoding; Mistral 7B decode step at "
    "32k; bandwidth-bound step with interleaved local attention",
    unit=SECOND,
    letters={**{key: CACHE[key] for key in CACHE if key != "H"}, "L_w": WINDOW_BLOCKS, "s_w": WINDOW,
             "P": READ["P"], "w": SERVED_WIDTH, "t": TP, "W_m": PEAK["W_m"]},
    given=("L_w <= L", "t divides K -- heads are copied, and every copy is read"),
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_what_windows_keep,
    convention=f"`L_w` of the `L` blocks read no more than a window of `s_w` tokens. {ALIKE} {LEAST}",
    leaves_out="Compute, and transfers between devices.",
    holds_for=DENSE,
    chain="""
    T_win = (w*P/t + b*(sum(2*w_kv*(K/t)*d_h*s, (i, 1, L - L_w))
        + sum(2*w_kv*(K/t)*d_h*min(s, s_w), (i, 1, L_w))))/W_m
                                     -- weights; full blocks read all keys and values, others a window
      = (w*P/t + 2*w_kv*(K/t)*d_h*b*(L*s - L_w*max(s - s_w, 0)))/W_m     -- all but what is behind
    """,
)  # fmt: skip
