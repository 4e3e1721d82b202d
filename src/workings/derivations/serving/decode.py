"""A decode step.

Each step makes one token of every sequence in the batch. It takes few products, since every weight meets
one token of each sequence, and reads much: all weights once, and keys and values of every token so far.
The step lasts as long as the slower of the two, which is reading until the batch is large; the scaling
book lets attention always wait for memory and adds its time to that of the weights. Two batches divide
the range: from one on the products with weights are compute-bound, from the other on caches are read
longer than weights, and what a larger batch still brings has an end.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import MODEL
from workings.derivations.compute.attention import ATTENTION_PROJECTION_FLOPS
from workings.derivations.compute.dense import LOGITS_FLOPS
from workings.derivations.compute.feed_forward import FFN_FLOPS
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.serving._step import (
    ALIKE,
    CACHE,
    LEAST,
    MOST_VECTORS,
    PEAK,
    READ,
    cache_bytes,
    serving_group,
    step_flops,
    weight_bytes,
)
from workings.derivations.serving._time_sources import (
    SARATHI,
    SCALING_BOOK_ATTENTION,
    SCALING_BOOK_ESTIMATES,
    SCALING_BOOK_LINEAR,
)
from workings.derivations.tensor_parallel.shares import EVEN, TP_KV_HEADS
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.simulate.serving import deal_weights
from workings.simulate.steps import touch_weights
from workings.units import BYTE, FLOP, ONE, SECOND
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT, Kind
from workings.vocabulary.layout import TP
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.serving import SERVED_WIDTH
from workings.vocabulary.training import BATCH

DENSE: dict[Kind | str, str] = {WITH_ATTENTION: "", WITHOUT_EXPERTS: "", WITHOUT_LATENT: ""}


def only_dense(name: str) -> dict[Kind | str, str]:
    """Kinds of models that an entry is for, and where mixtures and latents find it."""
    return {WITH_ATTENTION: "", WITHOUT_LATENT: f"mla-moe-{name}", WITHOUT_EXPERTS: f"moe-{name}"}


def run_one_token_more(**letters: int) -> int:
    """Every product of all tokens written down, and of all but the last; the difference."""
    return step_flops(**letters)


DECODE_FLOPS = derivation(
    "decode-flops",
    title="FLOPs of a decode step",
    phrases="FLOPs to generate one token with a KV cache; compute of one autoregressive step; 2N plus "
    "attention over the context per generated token; inference operations for each new token; forward "
    "FLOPs of a token while sampling",
    unit=FLOP,
    letters=MODEL,
    uses={
        "f_proj": ATTENTION_PROJECTION_FLOPS.at(s="1"),
        "f_qk": MATMUL_FLOPS.at(B="1", D="d_h", F="s"),
        "f_av": MATMUL_FLOPS.at(B="1", D="s", F="d_h"),
        "f_ffn": FFN_FLOPS.at(B="b"),
        "f_logit": LOGITS_FLOPS.at(B="b"),
    },
    source=SCALING_BOOK_ATTENTION,
    oracle=run_one_token_more,
    convention=f"One new token in each of `b` sequences, the `s`-th: it sees `s` keys, its own included. "
    f"{ALIKE}",
    leaves_out="Everything that is no matrix product; a mixture's router.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-moe-decode-flops"},
    chain="""
    f_dec = L*(f_proj + b*H*(f_qk + f_av) + f_ffn) + f_logit
                                         -- every block: one token through the weights, `s` keys, values
      = L*(4[FLOP]*b*D*d_h*(H + K) + b*H*(4[FLOP]*s*d_h) + 2[FLOP]*n_f*b*D*F) + 2[FLOP]*b*D*V
                                         -- put them in
      = 2[FLOP]*b*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + D*V)
                                         -- 2 FLOPs a weight, and the core of one query
    """,
)


def read_weights_and_caches(w: Fraction, d_h: int, w_kv: Fraction, **sizes: int) -> Fraction:
    """Weights dealt to devices, caches filled token by token; all that lies there is read once."""
    group = serving_group(**sizes)
    return weight_bytes(group, w) + cache_bytes(group, d_h, w_kv)


DECODE_BYTES = derivation(
    "decode-bytes",
    title="Bytes a device reads in a decode step",
    phrases="memory traffic of one autoregressive step; weights plus KV cache loaded per token; HBM "
    "reads per generated token; bytes moved from memory for each new token",
    unit=BYTE,
    letters=READ,
    uses={"K_t": TP_KV_HEADS.at()},
    given=EVEN,
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_weights_and_caches,
    convention=f"All weights once, shared evenly by `t` devices; {ALIKE[0].lower()}{ALIKE[1:]}",
    leaves_out="Activations and what is written, both small; heads whose weights are copied where "
    "`t > K`; of the input's embedding table only `b` rows are read.",
    holds_for=DENSE,
    chain="""
    V_dec = w*P/t + sum(sum(2*K_t*d_h*w_kv, (j, 1, L)), (i, 1, b*s))
                                         -- a share of the weights; in each block a key and a value
      = w*P/t + 2*w_kv*L*K_t*d_h*b*s        -- equal tokens, equal blocks
      = (w*P + 2*w_kv*L*max(K, t)*d_h*b*s)/t     -- heads are shared until each device has one
    """,
)


def share_the_products(t: int, C: Fraction, **sizes: int) -> Fraction:
    """The step's products written down, an equal part of them for each device, at its peak."""
    return Fraction(step_flops(**sizes), t) / C


DECODE_COMPUTE_TIME = derivation(
    "decode-compute-time",
    title="Compute time of a decode step",
    phrases="arithmetic side of the decode roofline; math time of one generated token; FLOPs of a "
    "token over peak of the tensor-parallel group",
    unit=SECOND,
    letters={**MODEL, "t": TP, "C": PEAK["C"]},
    uses={"f_dec": DECODE_FLOPS.at()},
    given=EVEN,
    source=SCALING_BOOK_LINEAR,
    oracle=share_the_products,
    convention="Every device of a tensor-parallel group does an equal part of the products, at its peak.",
    leaves_out="Transfers between devices; see tp-decode-time.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-moe-decode-step-time"},
    chain="""
    T_cmp = f_dec/(t*C)     -- the step's products over the FLOP/s of the group
      = 2[FLOP]*b*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + D*V)/(t*C)     -- put them in
    """,
)


def read_at_full_speed(W_m: Fraction, **letters: Any) -> Fraction:
    """Everything a device holds read once; those bytes over its bandwidth."""
    return read_weights_and_caches(**letters) / W_m


DECODE_MEMORY_TIME = derivation(
    "decode-memory-time",
    title="Memory time of a decode step",
    phrases="time to read weights and cache from HBM; whole HBM read once; "
    "theoretical minimum step time; bandwidth-bound latency of a generated token; (batch × KV "
    "cache + parameter bytes) over memory bandwidth; least time per token; speed of light of decoding; "
    "memory-bandwidth-bound decode speed, tokens per second per user",
    unit=SECOND,
    letters={**READ, "W_m": PEAK["W_m"]},
    uses={"K_t": TP_KV_HEADS.at(), "V_dec": DECODE_BYTES.at()},
    given=EVEN,
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_at_full_speed,
    convention=LEAST,
    leaves_out="Compute, which takes place while memory is read; transfers between devices.",
    holds_for=only_dense("decode-memory-time"),
    chain="""
    T_mem = V_dec/W_m                    -- the bytes a device reads over its bandwidth
      = (w*P/t + 2*w_kv*L*K_t*d_h*b*s)/W_m       -- put them in
      >= w*P/(t*W_m)                     -- even without a cache all weights are read
    """,
)


def read_every_weight(P: int, w: Fraction, t: int, W_m: Fraction) -> Fraction:
    """Weights dealt to devices, each of which reads what it holds; until the last is done."""
    only_if(P <= MOST_VECTORS)
    return max(len(device.weights) * w for device in deal_weights(P, t)) / W_m


WEIGHT_READ_TIME = derivation(
    "weight-read-time",
    title="Time to read all weights once",
    phrases="weights over memory bandwidth; minimum latency of a token by parameter loading; how long "
    "does it take to load the parameters from HBM; 2P over bandwidth per generated token; lower bound of "
    "a decode step at batch 1; weight loading time per token; fastest possible token of a 13B model",
    unit=SECOND,
    letters={"P": PARAMETERS, "w": SERVED_WIDTH, "t": TP, "W_m": PEAK["W_m"]},
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_every_weight,
    convention="The device with most weights; every one reads its share at its memory's full "
    "bandwidth. A mixture reads only the experts that its batch uses; a large batch uses all. Of the "
    "input's embedding table, which counts whole, a decode step reads `b` rows.",
    leaves_out="Caches, compute and transfers.",
    chain="""
    T_w = ceil(P/t)*w/W_m       -- a device's share of the weights over its bandwidth
      >= w*P/(t*W_m)            -- equal shares
    """,
)


def run_both_at_once(
    C: Fraction, W_m: Fraction, w: Fraction, w_kv: Fraction, P: int, D: int, F: int, n_f: int, V: int,
    **held: int,
) -> Fraction:  # fmt: skip
    """Products and reads started together; when the later of them is done."""
    lanes = [
        share_the_products(C=C, D=D, F=F, n_f=n_f, V=V, **held),
        read_at_full_speed(W_m=W_m, w=w, w_kv=w_kv, P=P, **held),
    ]
    return max(lanes)


DECODE_STEP_TIME = derivation(
    "decode-step-time",
    title="Time of a decode step",
    phrases="inter-token latency on a roofline; ITL or TPOT of a batch; how long does one step of "
    "generation take; milliseconds per token while decoding; max of compute and memory time; decode "
    "latency for Llama 70B on H100",
    unit=SECOND,
    letters={**MODEL, **READ, **PEAK},
    uses={"T_cmp": DECODE_COMPUTE_TIME.at(), "T_mem": DECODE_MEMORY_TIME.at()},
    given=EVEN,
    source=SARATHI,
    oracle=run_both_at_once,
    convention=f"Reading and computing overlap over the whole step. {LEAST}",
    leaves_out="Transfers between devices; launching kernels; choosing the token.",
    holds_for=only_dense("decode-step-time"),
    chain="""
    T_dec = T_mem + max(T_cmp - T_mem, 0[s])     -- reading, and what computing takes beyond it
      = max(T_cmp, T_mem)                        -- both run at once: the slower one counts
    """,
)


def read_caches_then_the_rest(
    C: Fraction, W_m: Fraction, w: Fraction, w_kv: Fraction, P: int, d_h: int, b: int, **held: int
) -> Fraction:
    """Caches read; then weights read while each of them meets every token, the slower of the two."""
    only_if(P * b <= MOST_VECTORS)
    group = serving_group(P=P, b=b, **held)
    products = Fraction(touch_weights(P, b, passes=1), len(group)) / C
    return cache_bytes(group, d_h, w_kv) / W_m + max(products, weight_bytes(group, w) / W_m)


DECODE_STEP_TIME_APART = like(
    "decode-step-time-apart",
    DECODE_STEP_TIME,
    title="Time of a decode step whose attention waits for memory",
    phrases="decode latency above the critical batch; "
    "theoretical step time (general) of the scaling book; KV cache over bandwidth plus max of "
    "2BP over FLOPs and parameter bytes over bandwidth; decode time with attention always "
    "bandwidth-bound",
    letters={**READ, **PEAK},
    uses={"K_t": TP_KV_HEADS.at()},
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_caches_then_the_rest,
    convention="Attention's core is read at full bandwidth and computes nothing else meanwhile; all "
    "parameters multiply, 2 FLOPs each; reading and computing overlap for weights alone.",
    chain="""
    T_apart = 2*w_kv*L*K_t*d_h*b*s/W_m + w*P/(t*W_m) + max(2[FLOP]*b*P/(t*C) - w*P/(t*W_m), 0[s])
                                  -- caches, weights, and what their products take beyond reading them
      = 2*w_kv*L*K_t*d_h*b*s/W_m + max(2[FLOP]*b*P/(t*C), w*P/(t*W_m))
                                  -- the slower of reading weights and computing with them
    """,
)


def time_weights_both_ways(
    b: int, P: int, t: int, C: Fraction, W_m: Fraction, w: Fraction
) -> bool | None:
    """Weights dealt to devices and met by the batch; whether that takes longer than reading them."""
    if P * b > MOST_VECTORS:
        return None
    products = Fraction(touch_weights(P, b, passes=1), t) / C
    return products >= weight_bytes(deal_weights(P, t), w) / W_m


DECODE_COMPUTE_BOUND_BATCH = derivation(
    "decode-compute-bound-batch",
    title="Batch from which decoding's products with weights are compute-bound",
    phrases="critical batch size of inference; B_crit 240 on TPU v5e; arithmetic intensity of decoding "
    "linear layers; how many concurrent sequences until GEMMs stop being memory-bound; batch 295 on "
    "H100 bf16",
    unit=ONE,
    noun="sequences",
    letters={"b": BATCH, "P": PARAMETERS, "t": TP, "w": SERVED_WIDTH, **PEAK},
    source=SCALING_BOOK_LINEAR,
    oracle=time_weights_both_ways,
    convention="Each weight is read once and meets one token of each sequence, 2 FLOPs. Depends on the "
    "device and the width of the weights alone. Attention's core is memory-bound at any batch.",
    leaves_out="Reading and writing activations, which matters where `b` comes near a matrix's sides.",
    holds_for={WITHOUT_EXPERTS: ""},
    chain="""
    2[FLOP]*b*P/(t*C) >= w*P/(t*W_m)     -- computing takes as long as reading
      <=> b >= w*C/(2[FLOP]*W_m)         -- solve for the batch: parameters and devices cancel
    """,
)


def read_both_and_compare(w: Fraction, d_h: int, w_kv: Fraction, **sizes: int) -> bool:
    """Weights dealt to devices, caches filled token by token; whether more lies in the caches."""
    group = serving_group(**sizes)
    return cache_bytes(group, d_h, w_kv) >= weight_bytes(group, w)


DECODE_CACHE_BOUND_BATCH = derivation(
    "decode-cache-bound-batch",
    title="Batch from which decoding reads caches longer than weights",
    phrases="when does the KV cache dominate decode time; cache traffic exceeds weight traffic; "
    "crossover of KV reads and parameter reads; why throughput stops scaling with concurrency at long "
    "context",
    unit=ONE,
    noun="sequences",
    letters=READ,
    given=("t divides K -- heads are copied, and every copy is read", "K divides H"),
    source=SCALING_BOOK_ATTENTION,
    oracle=read_both_and_compare,
    convention=f"From here on twice the batch makes at most a third more tokens a second. {ALIKE}",
    leaves_out="Activations; the input's embedding table, of which only `b` rows are read.",
    holds_for=DENSE,
    chain="""
    2*w_kv*L*(K/t)*d_h*b*s >= w*P/t         -- a device's share of keys and values, and of weights
      <=> b >= w*P/(2*w_kv*L*K*d_h*s)       -- solve: all weights over the cache of one sequence
    """,
)


def multiply_and_read_one_cache(H: int, K: int, s: int, d_h: int, w_kv: Fraction) -> Fraction | None:
    """One query a head against a cache filled token by token: FLOPs counted, over the bytes read."""
    if s * H * d_h > MOST_VECTORS:
        return None
    group = serving_group(b=1, s=s, L=1, H=H, K=K, t=1)
    flops = sum(
        counted_matmul(ffn_numbers(1, d_h, head), ffn_numbers(d_h, s, head))[1] for head in range(H)
    )
    flops += sum(
        counted_matmul(ffn_numbers(1, s, head), ffn_numbers(s, d_h, head))[1] for head in range(H)
    )
    return flops / cache_bytes(group, d_h, w_kv)


CACHE_READ_INTENSITY = derivation(
    "cache-read-intensity",
    title="Arithmetic intensity of attention in a decode step, by its cache alone",
    phrases="FLOPs per byte of KV cache; why is decode attention memory-bound at any batch; GQA raises "
    "attention intensity; one FLOP a byte for multi-head attention; operations for each byte of keys "
    "and values",
    unit=FLOP / BYTE,
    letters={key: CACHE[key] for key in ("s", "H", "K", "d_h", "w_kv")},
    uses={
        "f_qk": MATMUL_FLOPS.at(B="1", D="d_h", F="s"),
        "f_av": MATMUL_FLOPS.at(B="1", D="s", F="d_h"),
    },
    given=("K divides H",),
    source=SCALING_BOOK_ATTENTION,
    oracle=multiply_and_read_one_cache,
    convention="One new token. Neither batch nor context changes it, only how many query heads share a "
    "key and value head, and the width they are kept in.",
    leaves_out="The softmax; reading the queries and writing the result, small beside the cache.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: "mla-cache-read-intensity"},
    chain="""
    I_core = H*(f_qk + f_av)/sum(2*K*d_h*w_kv, (i, 1, s))     -- both products, over keys and values
      = H*(4[FLOP]*s*d_h)/(2*K*d_h*w_kv*s)                    -- put the products in; equal tokens
      = 2[FLOP]*H/(K*w_kv)                                    -- context and head width cancel
    """,
)


def make_tokens(**letters: Any) -> Fraction:
    """A step run by the clock; a token of each sequence over its time."""
    return Fraction(letters["b"]) / run_both_at_once(**letters)


DECODE_THROUGHPUT = derivation(
    "decode-throughput",
    title="Tokens decoded per second by a tensor-parallel group",
    phrases="generation throughput of a replica; output tokens/s of an inference server; batch over "
    "inter-token latency; how many tokens per second will Llama 70B generate; tok/s of a model instance",
    unit=ONE / SECOND,
    noun="tokens",
    letters={**MODEL, **READ, **PEAK},
    uses={
        "T_dec": DECODE_STEP_TIME.at(),
        "T_cmp": DECODE_COMPUTE_TIME.at(),
        "T_mem": DECODE_MEMORY_TIME.at(),
    },
    given=EVEN,
    source=SCALING_BOOK_ESTIMATES,
    oracle=make_tokens,
    convention=f"Of all sequences together; each of them gets a `b`-th. {LEAST}",
    leaves_out="Prefills between the steps; transfers between devices.",
    holds_for=only_dense("decode-throughput"),
    chain="""
    R_dec = b/T_dec                      -- a token of each sequence a step
      = min(b/T_cmp, b/T_mem)            -- the slower side bounds it
    """,
)


def make_tokens_on_each_device(t: int, **letters: Any) -> Fraction:
    """A step run by the clock; its tokens over its time, and over the devices that made them."""
    return make_tokens(t=t, **letters) / t


DECODE_THROUGHPUT_DEVICE = like(
    "decode-throughput-device",
    DECODE_THROUGHPUT,
    title="Tokens decoded per second and device",
    phrases="tokens/s/GPU while generating; output throughput per accelerator; per-chip decode "
    "throughput; what decides cost per token",
    uses={"R_dec": DECODE_THROUGHPUT.at(), "T_dec": DECODE_STEP_TIME.at()},
    oracle=make_tokens_on_each_device,
    chain="""
    R_dev = R_dec/t                      -- all devices of the group made them
      = b/(t*T_dec)                      -- put the throughput in
    """,
)


def read_a_cache_for_each_token(d_h: int, w_kv: Fraction, W_m: Fraction, **sizes: int) -> Fraction:
    """Caches filled token by token and read, nothing else; a token of each over that time."""
    group = serving_group(**sizes)
    return sizes["b"] / (cache_bytes(group, d_h, w_kv) / W_m)


DECODE_THROUGHPUT_LIMIT = derivation(
    "decode-throughput-limit",
    title="Throughput that decoding cannot pass at a context, however large the batch",
    phrases="asymptotic tokens/s of decoding; bandwidth over KV bytes of a sequence; upper bound of "
    "throughput as batch grows; most tokens per second at 32k context; plateau of decode throughput",
    unit=ONE / SECOND,
    noun="tokens",
    letters={**CACHE, "t": TP, "W_m": PEAK["W_m"]},
    uses={"K_t": TP_KV_HEADS.at()},
    given=EVEN,
    source=SCALING_BOOK_ESTIMATES,
    oracle=read_a_cache_for_each_token,
    convention="Every token takes its sequence's whole cache from memory; weights, shared by ever more "
    f"sequences, cost nothing in the limit. {ALIKE}",
    leaves_out="Compute, which may bound it before; memory that so many caches need.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    R_lim = b/(sum(2*w_kv*L*K_t*d_h*s, (i, 1, b))/W_m)     -- a step's tokens, over reading the caches
      = b/(2*w_kv*L*K_t*d_h*s*b/W_m)                       -- equal sequences
      = W_m/(2*w_kv*L*K_t*d_h*s)                           -- the batch cancels
    """,
)
