"""How fast mixtures decode, and at what cost.

A step of a mixture lasts as long as the slower of two: reading the weights that all tokens meet, the
experts that the batch uses and the caches; and the products of the few experts that each token meets.
From it follow tokens a second and what a million of them costs, as for models without experts.
"""

from collections import defaultdict
from fractions import Fraction
from math import comb
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import MODEL
from workings.derivations.serving._step import PEAK
from workings.derivations.serving._time_sources import NVIDIA_TOKEN_COST, SCALING_BOOK_MIXTURE
from workings.derivations.serving.decode import (
    DECODE_COMPUTE_TIME,
    read_at_full_speed,
    share_the_products,
)
from workings.derivations.serving.other_models import MOE_DECODE_MEMORY_TIME, USED
from workings.derivations.tensor_parallel.shares import EVEN
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import CURRENCY, ONE, SECOND
from workings.vocabulary.kinds import WITH_ATTENTION, WITH_EXPERTS, WITHOUT_LATENT, Kind
from workings.vocabulary.scale import PRICE

MOST_DRAWS = 20_000  # more than these take an oracle too long


def _instead(name: str) -> dict[Kind | str, str]:
    """Kinds of models that an entry is for, and where those find it that are of another."""
    return {WITH_EXPERTS: name, WITH_ATTENTION: "", WITHOUT_LATENT: f"mla-moe-{name}"}


def draw_experts(tokens: int, E: int, k_E: int) -> Fraction:
    """Token after token draws its experts; the chances of how many are used, and their mean."""
    only_if(tokens * E * k_E <= MOST_DRAWS)
    chances = {0: Fraction(1)}
    for _token in range(tokens):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for used, chance in chances.items():
            for fresh in range(min(k_E, E - used) + 1):
                ways = comb(E - used, fresh) * comb(used, k_E - fresh)
                after[used + fresh] += chance * Fraction(ways, comb(E, k_E))
        chances = after
    return sum((used * chance for used, chance in chances.items()), Fraction(0))


def read_drawn_experts(
    b: int, E: int, k_E: int, D: int, F_E: int, n_f: int, L_E: int, w: Fraction, t: int, W_m: Fraction,
    **_: int,
) -> Fraction:  # fmt: skip
    """Experts drawn in every block that has some; a device's part of their matrices read."""
    expert = total_bytes([Tensor("weight", (D, F_E), w)] * n_f)
    return L_E * draw_experts(b, E, k_E) * expert / t / W_m


def run_experts_and_reads(
    C: Fraction, W_m: Fraction, F: int, V: int, P_base: int, w: Fraction, w_kv: Fraction, **held: int
) -> Fraction:
    """Reads and products started together, the experts that are read drawn; when the later is done."""
    reading = read_at_full_speed(P=P_base, w=w, w_kv=w_kv, W_m=W_m, **held)
    reading += read_drawn_experts(w=w, W_m=W_m, **held)
    sizes = {name: held[name] for name in MODEL if name not in ("F", "V")}
    return max(reading, share_the_products(C=C, F=F, V=V, t=held["t"], **sizes))


MOE_DECODE_STEP_TIME = derivation(
    "moe-decode-step-time",
    title="Time of a decode step of a mixture of experts",
    phrases="inter-token latency of Mixtral on H100; TPOT of a sparse model at a batch; how long does a "
    "mixture take for one step of generation; max of expert compute and memory time; milliseconds per "
    "token of an MoE while decoding; decode latency of Qwen3 MoE",
    unit=SECOND,
    letters={**MODEL, **MOE_DECODE_MEMORY_TIME.letters, **PEAK},
    uses={"T_cmp": DECODE_COMPUTE_TIME.at(), "T_moe": MOE_DECODE_MEMORY_TIME.at()},
    given=(*EVEN, "k_E <= E"),
    source=SCALING_BOOK_MIXTURE,
    oracle=run_experts_and_reads,
    convention=f"Reading and computing overlap over the whole step. {USED}",
    leaves_out="Transfers between devices; launching kernels; routers; the device with the most experts "
    "that are used.",
    holds_for=_instead("decode-step-time"),
    chain="""
    T_step_moe = T_moe + max(T_cmp - T_moe, 0[s])     -- reading, and what computing takes beyond it
      = max(T_cmp, T_moe)                         -- both run at once: the slower one counts
    """,
)


def make_tokens_of_experts(b: int, **letters: Any) -> Fraction:
    """A step run by the clock; a token of each sequence over its time."""
    return Fraction(b) / run_experts_and_reads(b=b, **letters)


MOE_DECODE_THROUGHPUT = like(
    "moe-decode-throughput",
    MOE_DECODE_STEP_TIME,
    title="Tokens decoded per second by a group that shares a mixture of experts",
    phrases="generation throughput of Mixtral; output tokens/s of an MoE server; how many tokens per "
    "second will a mixture generate; tok/s of a sparse model; decode throughput of Qwen3 MoE",
    unit=ONE / SECOND,
    noun="tokens",
    uses={"T_step_moe": MOE_DECODE_STEP_TIME.at()},
    oracle=make_tokens_of_experts,
    convention=f"Of all sequences together; each of them gets a `b`-th. {USED}",
    leaves_out="Prefills between the steps; transfers between devices.",
    holds_for=_instead("decode-throughput"),
    chain="""
    R_moe = b/T_step_moe     -- a token of each sequence a step
    """,
)


def pay_while_a_mixture_decodes(c_d: Fraction, t: int, **letters: Any) -> Fraction:
    """A step run by the clock; the price of all devices for as long as a million tokens take."""
    seconds = 1_000_000 / make_tokens_of_experts(t=t, **letters)
    return sum((seconds * c_d for _device in range(t)), Fraction(0))


MOE_DECODED_TOKENS_COST = like(
    "moe-decoded-tokens-cost",
    MOE_DECODE_STEP_TIME,
    title="Cost of a million tokens decoded by full batches of a mixture of experts",
    phrases="what does a million tokens of Mixtral cost; least price of decoding an MoE; dollars per 1M "
    "output tokens of a sparse model; cost per Mtok of a mixture at a batch size and context",
    unit=CURRENCY,
    letters={**MOE_DECODE_STEP_TIME.letters, "c_d": PRICE},
    uses={"R_moe": MOE_DECODE_THROUGHPUT.at()},
    source=NVIDIA_TOKEN_COST,
    oracle=pay_while_a_mixture_decodes,
    convention=f"Every step has a full batch. {USED}",
    leaves_out="Prompts' tokens and the time of their prefill; hours in which nobody asks; transfers "
    "between devices; power, network and people, unless the price holds them.",
    holds_for=_instead("decoded-tokens-cost"),
    chain="""
    c_moe = t*c_d*(1000000/R_moe)      -- seconds of all devices for a million tokens
      = 1000000*t*c_d/R_moe            -- collect
    """,
)
