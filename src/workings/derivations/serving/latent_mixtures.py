"""How fast mixtures with latent attention decode, and at what cost.

With its up-projections absorbed, latent attention meets each of its weights once a token, and every head
reads the same vectors. A step of such a model, DeepSeek-V3 or Kimi K2, lasts as long as the slower of
its reads and its products.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.compute.dense import LOGITS_FLOPS
from workings.derivations.compute.feed_forward import FFN_FLOPS
from workings.derivations.compute.latent_attention import LATENT, LATENT_MODEL, MLA_PROJECTION_FLOPS
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.compute.mixtures import GIVEN, MOE_FORWARD_FLOPS, SOME_DENSE, mixture_tape
from workings.derivations.serving._sources import MLA_ABSORBED
from workings.derivations.serving._step import PEAK
from workings.derivations.serving._time_sources import NVIDIA_TOKEN_COST, SCALING_BOOK_MIXTURE
from workings.derivations.serving.latent import decode
from workings.derivations.serving.mixtures import read_drawn_experts
from workings.derivations.serving.other_models import MLA_MOE_DECODE_MEMORY_TIME, USED, read_latents
from workings.simulate.latent_products import Latent, write_latent_projections
from workings.simulate.products import Tape
from workings.units import CURRENCY, FLOP, ONE, SECOND
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS, Kind
from workings.vocabulary.layout import TP
from workings.vocabulary.scale import PRICE

MOST_ROWS = 3_000  # more products than these take an oracle too long
SHARED = "t divides H -- devices have unlike numbers of heads"


def instead(grouped: str) -> dict[Kind | str, str]:
    """Kinds of models that an entry is for, and the one for models that compress nothing."""
    return {LATENT_ATTENTION: grouped, WITH_EXPERTS: ""}


def run_one_token_through(s: int, H: int, r_kv: int, d_n: int, d_r: int, d_v: int, **rest: int) -> int:
    """Every matrix met by one token of each sequence, and every head's products with its cache."""
    only_if(rest["L"] * rest["b"] * (H + rest["E"] + rest["E_s"]) <= MOST_ROWS)
    widths = {"H": H, "r_kv": r_kv, "d_n": d_n, "d_r": d_r, "d_v": d_v}
    sizes = Latent(*({**rest, **widths}[name] for name in LATENT))

    def attention(tape: Tape) -> None:
        write_latent_projections(tape, 1, sizes)

    cached = sum(head.cache for head in decode(s, H, r_kv, d_n, d_r, d_v))
    return mixture_tape(attention, s=1, **rest).forward() + rest["b"] * rest["L"] * cached


MLA_MOE_DECODE_FLOPS = derivation(
    "mla-moe-decode-flops",
    title="FLOPs of a decode step of a mixture with multi-head latent attention (MLA)",
    phrases="DeepSeek-V3 FLOPs per generated token; compute of one decode step of Kimi K2; MLA MoE "
    "inference operations for each new token; absorbed MLA decode compute of the whole model; forward "
    "FLOPs of a DeepSeek token while sampling",
    unit=FLOP,
    letters=LATENT_MODEL,
    uses={
        "f_mla_proj": MLA_PROJECTION_FLOPS.at(s="1"),
        "f_qk": MATMUL_FLOPS.at(B="1", D="r_kv + d_r", F="s"),
        "f_av": MATMUL_FLOPS.at(B="1", D="s", F="r_kv"),
        "f_ffn": FFN_FLOPS.at(B="b"),
        "f_moe": MOE_FORWARD_FLOPS.at(B="b"),
        "f_logit": LOGITS_FLOPS.at(B="b"),
    },
    given=GIVEN,
    source=MLA_ABSORBED,
    oracle=run_one_token_through,
    convention="One new token in each of `b` sequences, the `s`-th. The up-projections are absorbed: "
    f"each meets one query or one output, as many FLOPs as one token brought up. {SOME_DENSE}",
    leaves_out="Everything that is no matrix product; multi-token prediction.",
    holds_for=instead("decode-flops"),
    chain="""
    f_dec_mix = L*(f_mla_proj + b*H*(f_qk + f_av)) + (L - L_E)*f_ffn + L_E*f_moe + f_logit
                                -- one token through all weights; scores and weighted vectors of the cache
      = L*(f_mla_proj + 2[FLOP]*b*H*s*(2*r_kv + d_r)) + (L - L_E)*f_ffn + L_E*f_moe + f_logit
                                -- both products read the same vectors
    """,
)


def run_latents_and_reads(
    C: Fraction, W_m: Fraction, P_base: int, w: Fraction, w_kv: Fraction, t: int, **model: int
) -> Fraction:
    """Reads and products started together, the experts that are read drawn; when the later is done."""
    cache = {name: model[name] for name in ("b", "s", "L", "r_kv", "d_r")}
    reading = read_latents(P=P_base, w=w, w_kv=w_kv, t=t, W_m=W_m, **cache)
    reading += read_drawn_experts(w=w, t=t, W_m=W_m, **model)
    return max(reading, Fraction(run_one_token_through(**model), t) / C)


MLA_MOE_DECODE_STEP_TIME = derivation(
    "mla-moe-decode-step-time",
    title="Time of a decode step of a mixture with multi-head latent attention (MLA)",
    phrases="inter-token latency of DeepSeek-V3 on H200; TPOT of Kimi K2 at a batch; how long does a "
    "DeepSeek model take for one step of generation; max of compute and memory time of an MLA mixture; "
    "milliseconds per token of DeepSeek-R1",
    unit=SECOND,
    letters={**LATENT_MODEL, **MLA_MOE_DECODE_MEMORY_TIME.letters, **PEAK, "t": TP},
    uses={"f_dec_mix": MLA_MOE_DECODE_FLOPS.at(), "T_mix": MLA_MOE_DECODE_MEMORY_TIME.at()},
    given=(*GIVEN, "t divides F_E -- devices hold unlike parts of an expert", SHARED),
    source=SCALING_BOOK_MIXTURE,
    oracle=run_latents_and_reads,
    convention=f"Reading and computing overlap over the whole step; every device does an equal part of "
    f"the products. {USED} Each device reads all latents.",
    leaves_out="Transfers between devices; launching kernels; the device with the most experts that are "
    "used; multi-token prediction.",
    holds_for=instead("moe-decode-step-time"),
    chain="""
    T_step_mix = T_mix + max(f_dec_mix/(t*C) - T_mix, 0[s])
                                                    -- reading, and what computing takes beyond it
      = max(f_dec_mix/(t*C), T_mix)                         -- both run at once: the slower one counts
    """,
)


def make_tokens_of_latents(b: int, **letters: Any) -> Fraction:
    """A step run by the clock; a token of each sequence over its time."""
    return Fraction(b) / run_latents_and_reads(b=b, **letters)


MLA_MOE_DECODE_THROUGHPUT = like(
    "mla-moe-decode-throughput",
    MLA_MOE_DECODE_STEP_TIME,
    title="Tokens decoded per second by a group that shares a mixture with latent attention (MLA)",
    phrases="generation throughput of DeepSeek-V3; output tokens/s of Kimi K2; how many tokens per "
    "second will DeepSeek-R1 generate on 8 H200; tok/s of an MLA mixture",
    unit=ONE / SECOND,
    noun="tokens",
    uses={"T_step_mix": MLA_MOE_DECODE_STEP_TIME.at()},
    oracle=make_tokens_of_latents,
    convention=f"Of all sequences together; each of them gets a `b`-th. {USED} Each device reads all "
    "latents.",
    leaves_out="Prefills between the steps; transfers between devices; multi-token prediction.",
    holds_for=instead("moe-decode-throughput"),
    chain="""
    R_mix = b/T_step_mix     -- a token of each sequence a step
    """,
)


def pay_while_latents_decode(c_d: Fraction, t: int, **letters: Any) -> Fraction:
    """A step run by the clock; the price of all devices for as long as a million tokens take."""
    seconds = 1_000_000 / make_tokens_of_latents(t=t, **letters)
    return sum((seconds * c_d for _device in range(t)), Fraction(0))


MLA_MOE_DECODED_TOKENS_COST = like(
    "mla-moe-decoded-tokens-cost",
    MLA_MOE_DECODE_STEP_TIME,
    title="Cost of a million tokens decoded by full batches of a mixture with latent attention (MLA)",
    phrases="what does a million tokens of DeepSeek-V3 cost; least price of decoding Kimi K2; dollars "
    "per 1M output tokens of DeepSeek-R1 self-hosted; cost per Mtok of an MLA mixture",
    unit=CURRENCY,
    letters={**MLA_MOE_DECODE_STEP_TIME.letters, "c_d": PRICE},
    uses={"R_mix": MLA_MOE_DECODE_THROUGHPUT.at()},
    source=NVIDIA_TOKEN_COST,
    oracle=pay_while_latents_decode,
    convention=f"Every step has a full batch. {USED} Each device reads all latents.",
    leaves_out="Prompts' tokens and the time of their prefill; hours in which nobody asks; transfers "
    "between devices; power, network and people, unless the price holds them.",
    holds_for=instead("moe-decoded-tokens-cost"),
    chain="""
    c_mix = t*c_d*(1000000/R_mix)      -- seconds of all devices for a million tokens
      = 1000000*t*c_d/R_mix            -- collect
    """,
)
