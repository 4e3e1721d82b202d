"""Letters of whole models with experts, and the tape their products are written on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workings.derivations.compute._letters import MODEL, SEQUENCES
from workings.derivations.compute.moe_forward_flops import MIXTURE, routed_tape
from workings.simulate.latent_products import Latent, write_latent_core, write_latent_projections
from workings.simulate.products import Operand, Tape, write_attention, write_ffn
from workings.vocabulary.model import (
    BLOCKS,
    D_FF,
    D_MODEL,
    HEADS,
    KV_RANK,
    MOE_BLOCKS,
    NOPE_DIM,
    Q_RANK,
    ROPE_DIM,
    V_DIM,
    VOCAB,
)

_EXPERTS = {name: concept for name, concept in MIXTURE.items() if name != "B"}
MOE_MODEL = {**MODEL, "F": D_FF, **_EXPERTS, "L_E": MOE_BLOCKS}
LATENT = {
    "D": D_MODEL, "H": HEADS, "r_q": Q_RANK, "r_kv": KV_RANK, "d_n": NOPE_DIM, "d_r": ROPE_DIM,
    "d_v": V_DIM,
}  # fmt: skip
LATENT_MODEL = {
    **SEQUENCES, "L": BLOCKS, **LATENT, "F": D_FF, **_EXPERTS, "L_E": MOE_BLOCKS, "V": VOCAB,
}  # fmt: skip
GIVEN = ("L_E <= L", "k_E <= E")


def latent(D: int, H: int, r_q: int, r_kv: int, d_n: int, d_r: int, d_v: int) -> Latent:
    """The sizes of latent attention that these letters say."""
    return Latent(D, H, r_q, r_kv, d_n, d_r, d_v)


def grouped_tape(causal: bool, **letters: Any) -> Tape:
    """Every product of a model with grouped-query attention and experts."""
    heads = (letters["H"], letters["K"], letters["d_h"])

    def attention(tape: Tape) -> None:
        write_attention(tape, letters["s"], letters["D"], heads, causal=causal)

    return _mixture_tape(attention, **letters)


def latent_tape(**letters: Any) -> Tape:
    """Every product of a model with latent attention and experts, causal."""
    sizes = latent(**{name: letters[name] for name in LATENT})

    def attention(tape: Tape) -> None:
        write_latent_projections(tape, letters["s"], sizes)
        write_latent_core(tape, letters["s"], sizes)

    return _mixture_tape(attention, **letters)


NOT_OF_A_BLOCK = ("L", "L_E", "F", "V")


def latent_block_tape(**letters: Any) -> Tape:
    """Every product of one block with latent attention and experts, causal."""
    tape = latent_tape(**letters, L=1, L_E=1, F=1, V=1)
    tape.products = [product for product in tape.products if product.part != "logits"]
    return tape


def latent_is_long(**letters: Any) -> bool:
    """Whether writing down every product of such a model takes longer than a probe is worth."""
    size = letters["H"] * letters["s"] + letters["E"] + letters["E_s"]
    return bool(letters.get("L", 1) * letters["b"] * size > 1_500)


def _mixture_tape(attention: Callable[[Tape], None], **letters: Any) -> Tape:
    tape = Tape()
    s, D, L = letters["s"], letters["D"], letters["L"]  # noqa: N806 - letters of the chain
    for _ in range(letters["b"]):
        for number in range(L):
            attention(tape)
            if number < L - letters["L_E"]:  # the first blocks are dense
                write_ffn(tape, s, D, letters["F"], letters["n_f"])
            else:
                experts = {name: letters[name] for name in _EXPERTS}
                tape.products += routed_tape(B=s, **experts).products
        tape.multiply("logits", Operand(s, D), Operand(D, letters["V"]))
    return tape
