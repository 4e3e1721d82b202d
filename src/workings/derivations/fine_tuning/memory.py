"""Memory of fine-tuning.

Beside frozen weights gradients, master weights and moments are kept of the adapter alone, so that the
weights as they lie are nearly all of the model state. QLoRA keeps those of the blocks in 4 bits: a code a
weight, a scale for each block of weights in 8 bits, and a number in FP32 for each block of scales.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivation.chain import Row
from workings.derivations.fine_tuning._sources import LORA, QLORA
from workings.derivations.fine_tuning.adapters import LORA_ALL_LINEAR_PARAMETERS, adapt_every_matrix
from workings.derivations.parameters._letters import ATTENTION, described
from workings.derivations.parameters.attention import ATTENTION_PARAMETERS
from workings.derivations.parameters.feed_forward import FFN_BLOCK_PARAMETERS
from workings.derivations.state.recipes import RECIPE, TRAINING_STATE, values
from workings.simulate.adapters import quantize_twice
from workings.simulate.stored_state import keep, total
from workings.simulate.weights import attention, count, feed_forward
from workings.units import BYTE, ONE
from workings.vocabulary.fine_tuning import (
    ADAPTER_WIDTH,
    FROZEN_WIDTH,
    RANK,
    SCALE_BLOCK,
    SERVED_ADAPTERS,
    TRAINED,
)
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import BLOCKS, D_FF, EMBEDDINGS, FFN_MATRICES, PARAMETERS, VOCAB
from workings.vocabulary.serving import SCALE_WIDTH, SERVED_WIDTH
from workings.vocabulary.state import QUANT_BLOCK

MOST = 40_000  # values that an oracle keeps at one point


def quantize_whole_blocks(B_q: int, B_2: int) -> Fraction:
    """As many weights as share one FP32 number, cut into blocks and quantized; their mean bits."""
    only_if(B_q * B_2 <= MOST)
    return quantize_twice(B_q * B_2, B_q, B_2).bits() / (B_q * B_2)


NF4_BITS = derivation(
    "nf4-bits",
    title="Bits of a weight in NF4 with double quantization",
    phrases="4.127 bits per parameter; NF4 bits per weight; 4 + 8/64 + 32/(64 · 256); double "
    "quantization overhead; 4-bit NormalFloat storage with absmax constants; bitsandbytes nested "
    "quant bits",
    unit=ONE,
    noun="bits",
    fractional="in the mean over whole blocks",
    letters={"B_q": QUANT_BLOCK, "B_2": SCALE_BLOCK},
    source=QLORA,
    oracle=quantize_whole_blocks,
    convention="QLoRA has `B_q = 64` and `B_2 = 256`: 4.127 bits; with scales in FP32 they are 4.5.",
    leaves_out="The mean of the scales and the tables of codes, one a tensor; the last, partial blocks.",
    chain="""
    n_4 = sum(sum(4, (i, 1, B_q)) + 8, (j, 1, B_2))/(B_q*B_2) + 32/(B_q*B_2)
                        -- a block has codes of 4 bits and a scale of 8; `B_2` blocks share 32 bits
      = B_2*(4*B_q + 8)/(B_q*B_2) + 32/(B_q*B_2)      -- equal weights, equal blocks
      = 4 + 8/B_q + 32/(B_q*B_2)                      -- divide
    """,
)


def quantize_a_tensor(P: int, B_q: int) -> int:
    """A tensor cut into blocks and quantized; the scales that it ends with are counted."""
    only_if(P <= MOST)
    return quantize_twice(P, B_q, 1).scale_codes


QUANTIZATION_CONSTANTS = derivation(
    "quantization-constants",
    title="Constants of a tensor that is quantized in blocks",
    phrases="number of quantization blocks; absmax constants of block-wise quantization; n = bh/B; "
    "how many scales does a 4-bit tensor have; blocks of 64 weights each with a constant; number of "
    "group scales in a quantized matrix",
    unit=ONE,
    noun="scales",
    letters={"P": PARAMETERS, "B_q": QUANT_BLOCK},
    source=QLORA.at("section 2, “Block-wise k-bit Quantization”"),
    oracle=quantize_a_tensor,
    convention="`P` values of one tensor, or of a model whose tensors the blocks run through without a "
    "break; a last, partial block has a constant too.",
    chain="""
    n_c = ceil(P/B_q)           -- one for each block, however full
      >= P/B_q                  -- the published count, where the blocks divide the tensor
    """,
)


def keep_every_constant(P: int, B_q: int, w_s: Fraction) -> Fraction:
    """A tensor cut into blocks and quantized, its scales kept one by one; their bytes."""
    return total(keep(quantize_a_tensor(P, B_q), {"scale": w_s}))


QUANTIZATION_CONSTANT_BYTES = like(
    "quantization-constant-bytes",
    QUANTIZATION_CONSTANTS,
    title="Bytes of the constants of a tensor that is quantized in blocks",
    phrases="memory overhead of quantization constants; absmax memory of a 4-bit model; 0.5 bits per "
    "parameter for fp32 constants with blocks of 64; bytes of group scales; scale storage of a "
    "quantized model; how much do quantization scales take",
    unit=BYTE,
    noun=None,
    letters={"P": PARAMETERS, "B_q": QUANT_BLOCK, "w_s": SCALE_WIDTH},
    uses={"n_c": QUANTIZATION_CONSTANTS.at()},
    oracle=keep_every_constant,
    chain="""
    S_c = sum(w_s, (i, 1, n_c))    -- constant after constant
      = w_s*ceil(P/B_q)            -- put their number in
    """,
)


def list_frozen_and_trained(P: int, w_f: Fraction, P_a: int, **widths: Fraction) -> Fraction:
    """Every frozen weight, and every number kept of every trained one, their bytes added up."""
    only_if(P + P_a <= MOST)
    return total([*keep(P, {"frozen": w_f}), *values(P_a, **widths)])


LORA_STATE = derivation(
    "lora-state",
    title="Model state beside frozen weights",
    phrases="LoRA memory without activations; how much VRAM does LoRA fine-tuning need; frozen base "
    "model plus adapter optimizer states; GPU memory for adapter tuning; weights gradients moments when "
    "only adapters train; LoRA finetuning memory of a 70B",
    unit=BYTE,
    letters={**RECIPE, "w_f": FROZEN_WIDTH, "P_a": TRAINED},
    uses={"S_a": TRAINING_STATE.at(P="P_a")},
    source=LORA.at("section 4.2"),
    oracle=list_frozen_and_trained,
    convention="The adapter has the scenario's recipe, as the model would if it were trained.",
    leaves_out="Activations: gradients of inputs pass through the frozen weights and need most of them.",
    ledger=(
        Row("frozen weights", "w_f*P", "what the forward and the backward read"),
        Row("adapter", "S_a", "its weights, gradients, master weights and moments"),
    ),
    chain="""
    S_lora = rows                                     -- add the rows
      = w_f*P + (w_p + w_g + 2*w_o + w_c)*P_a         -- put the adapter's state in
    """,
)


@cache
def nf4() -> Fraction:
    """Mean bytes of weights that are really quantized in QLoRA's blocks."""
    return quantize_whole_blocks(64, 256) / 8


def list_a_quantized_model(
    L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, V: int, n_emb: int, r: int, w_f: Fraction,
    **widths: Fraction,
) -> Fraction:  # fmt: skip
    """Matrices listed and kept in 4 bits, tables as they are, and every number of every adapter."""
    block = [*attention(described(D=D, H=H, K=K, d_h=d_h)), *feed_forward("ffn", D, F, n_f)]
    quantized = count(matrix for _ in range(L) for matrix in block)
    only_if(quantized <= MOST and n_emb * V * D <= MOST)
    rows = [row for table in range(n_emb) for row in range(V) for _ in range(D)]
    trained = adapt_every_matrix(L=L, D=D, H=H, K=K, d_h=d_h, F=F, n_f=n_f, r=r)
    kept = [*keep(quantized, {"code": nf4()}), *keep(len(rows), {"table": w_f})]
    return total([*kept, *values(trained, **widths)])


WIDTHS: dict[str, Any] = {name: concept for name, concept in RECIPE.items() if name != "P"}

QLORA_STATE = derivation(
    "qlora-state",
    title="Model state of QLoRA",
    phrases="QLoRA memory; QLoRA memory for a 65B model on 48 GB; 4-bit base model plus LoRA adapters; "
    "VRAM for 4-bit fine-tuning; can I fine-tune a 70B on one GPU; bitsandbytes load_in_4bit training "
    "memory",
    unit=BYTE,
    letters={
        "L": BLOCKS,
        **ATTENTION,
        "F": D_FF,
        "n_f": FFN_MATRICES,
        "V": VOCAB,
        "n_emb": EMBEDDINGS,
        "r": RANK,
        "w_f": FROZEN_WIDTH,
        **WIDTHS,
    },
    uses={
        "n_4": NF4_BITS.at(B_q="64", B_2="256"),
        "P_attn": ATTENTION_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(beta_f="0"),
        "P_all": LORA_ALL_LINEAR_PARAMETERS.at(),
    },
    source=QLORA.at("section 3, equations 5 and 6"),
    oracle=list_a_quantized_model,
    convention="Matrices of the blocks in NF4 with double quantization, embedding tables in `w_f`; "
    "adapters of rank `r` on all matrices of the blocks.",
    leaves_out="Norms and biases; activations; the one matrix at work that is unpacked to 16 bits; "
    "optimizer states that are paged out.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "", WITHOUT_LATENT: ""},
    ledger=(
        Row("matrices of the blocks", "1[byte]/8*n_4*L*(P_attn + P_ffn)", "NF4"),
        Row("embedding tables", "w_f*n_emb*V*D", "not quantized"),
        Row("adapters", "(w_p + w_g + 2*w_o + w_c)*P_all", "weights, gradients, masters and moments"),
    ),
    chain="""
    S_qlora = rows                                                     -- add the rows
      = 1[byte]/8*n_4*L*(2*D*d_h*(H + K) + n_f*D*F) + w_f*n_emb*V*D + (w_p + w_g + 2*w_o + w_c)*P_all
                                                                       -- put the matrices in
    """,
)


def keep_a_model_and_its_adapters(P: int, w: Fraction, n_ad: int, P_a: int, w_a: Fraction) -> Fraction:
    """Weights of the model kept one by one, then those of each adapter after the other."""
    only_if(P + n_ad * P_a <= MOST)
    held = total(keep(P, {"weight": w}))
    for adapter in range(n_ad):
        held += total(keep(P_a, {f"adapter {adapter}": w_a}))
    return held


ADAPTERS_BESIDE_MODEL = derivation(
    "adapters-beside-model",
    title="Bytes of one model and of many adapters beside it",
    phrases="multi-LoRA serving memory; one base model and a hundred adapters; 350GB + 35MB * 100; how "
    "much memory do ten adapters take; storing many fine-tunes as LoRA; memory of adapters loaded at "
    "the same time",
    unit=BYTE,
    letters={
        "P": PARAMETERS, "w": SERVED_WIDTH, "n_ad": SERVED_ADAPTERS, "P_a": TRAINED, "w_a": ADAPTER_WIDTH,
    },
    source=LORA.at("section 4.2, footnote 4"),
    oracle=keep_a_model_and_its_adapters,
    convention="Adapters of one rank on the same matrices. As many models that were trained whole "
    "would take `w*P` each.",
    leaves_out="Caches and activations; an adapter that is padded to the largest rank.",
    chain="""
    M_ad = w*P + sum(w_a*P_a, (i, 1, n_ad))     -- the model once, and every adapter
      = w*P + n_ad*w_a*P_a                      -- equal adapters
    """,
)  # fmt: skip
