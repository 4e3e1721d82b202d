"""Prefill with latent attention.

A prompt of a mixture with latent attention goes through it as in training: keys and values are brought up
for every head, once for each of its tokens, and nothing is absorbed.
"""

from fractions import Fraction

from workings.derivation import derivation, only_if
from workings.derivations.compute.dense import LOGITS_FLOPS
from workings.derivations.compute.feed_forward import FFN_FLOPS
from workings.derivations.compute.latent_attention import (
    LATENT,
    LATENT_MODEL,
    MLA_CORE_FLOPS_CAUSAL,
    MLA_PROJECTION_FLOPS,
)
from workings.derivations.compute.mixtures import GIVEN, MOE_FORWARD_FLOPS, SOME_DENSE, mixture_tape
from workings.derivations.serving._step import PEAK
from workings.derivations.serving._time_sources import SCALING_BOOK_PREFILL
from workings.derivations.serving.latent_mixtures import MOST_ROWS, SHARED, instead
from workings.derivations.serving.prefill import AT_PEAK, READING
from workings.simulate.latent_products import Latent, write_latent_core, write_latent_projections
from workings.simulate.products import Operand, Tape
from workings.units import FLOP, SECOND
from workings.vocabulary.layout import TP


def write_a_latent_prompt_down(b: int, s: int, D: int, V: int, **rest: int) -> int:
    """Every product of a causal pass through latents and experts written down; one row of logits."""
    only_if(rest["L"] * b * (rest["H"] * s + rest["E"] + rest["E_s"]) <= MOST_ROWS)
    sizes = Latent(*({"D": D, **rest}[name] for name in LATENT))

    def attention(tape: Tape) -> None:
        write_latent_projections(tape, s, sizes)
        write_latent_core(tape, s, sizes)

    tape = mixture_tape(attention, b=b, s=s, D=D, V=V, **rest)
    tape.products = [product for product in tape.products if product.part != "logits"]
    for _ in range(b):
        tape.multiply("logits", Operand(1, D), Operand(D, V))
    return tape.forward()


MLA_MOE_PREFILL_FLOPS = derivation(
    "mla-moe-prefill-flops",
    title="FLOPs of a prompt's prefill by a mixture with multi-head latent attention (MLA)",
    phrases="DeepSeek-V3 compute to process an input prompt; prompt-processing FLOPs of Kimi K2; forward "
    "FLOPs of 8k input tokens with MLA and experts; context ingestion compute of a DeepSeek model",
    unit=FLOP,
    letters=LATENT_MODEL,
    uses={
        "f_mla_proj": MLA_PROJECTION_FLOPS.at(),
        "f_mla": MLA_CORE_FLOPS_CAUSAL.at(),
        "f_ffn": FFN_FLOPS.at(B="b*s"),
        "f_moe": MOE_FORWARD_FLOPS.at(B="b*s"),
        "f_logit": LOGITS_FLOPS.at(B="b"),
    },
    given=GIVEN,
    source=SCALING_BOOK_PREFILL,
    oracle=write_a_latent_prompt_down,
    convention="`b` prompts of `s` tokens each; pairs of tokens that the mask hides are not computed; "
    f"logits of the last token alone. {SOME_DENSE}",
    leaves_out="Everything that is no matrix product; multi-token prediction.",
    holds_for=instead("prefill-flops"),
    chain="""
    f_pre_mix = L*(f_mla_proj + f_mla) + (L - L_E)*f_ffn + L_E*f_moe + f_logit
                                -- all tokens through every block, one of each prompt scored
    """,
)


def share_the_latent_prompt(t: int, C: Fraction, **sizes: int) -> Fraction:
    """The prompt's products written down, an equal part of them for each device, at its peak."""
    return Fraction(write_a_latent_prompt_down(**sizes), t) / C


MLA_MOE_PREFILL_TIME = derivation(
    "mla-moe-prefill-time",
    title="Time of a prompt's prefill by a mixture with multi-head latent attention (MLA)",
    phrases="TTFT of DeepSeek-V3 without queueing; how long until Kimi K2 has read an 8k prompt; seconds "
    "to ingest a context with MLA and experts; prefill latency of DeepSeek-R1 on H200",
    unit=SECOND,
    letters={**LATENT_MODEL, "t": TP, "C": PEAK["C"]},
    uses={"f_pre_mix": MLA_MOE_PREFILL_FLOPS.at()},
    given=(*GIVEN, SHARED),
    source=SCALING_BOOK_PREFILL,
    oracle=share_the_latent_prompt,
    convention=AT_PEAK,
    leaves_out=READING,
    holds_for=instead("prefill-time"),
    chain="""
    T_pre_mix = f_pre_mix/(t*C)     -- the prompt's products over the FLOP/s of the group
    """,
)
