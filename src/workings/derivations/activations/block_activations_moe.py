"""What a block with experts saves on a rank."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import (
    HEADS_SPLIT,
    KV_FIT,
    KV_SPLIT,
    LEAVES_OUT,
    LLAMA_MESH,
)
from workings.derivations.activations._block_rows import saved
from workings.derivations.activations._sources import WEIGHTED_SWIGLU
from workings.simulate.block_forward import Block, Experts, Mesh, fullest_rank
from workings.units import BYTE
from workings.vocabulary.experts import CAPACITY_FACTOR
from workings.vocabulary.kinds import TWO_NORMS, WITH_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import ACTIVE_EXPERTS, D_EXPERT, EXPERTS, SHARED_EXPERTS


def route_and_run(
    E: int, k_E: int, F_E: int, E_s: int, phi: Fraction, t: int, c: int, **sizes: Any
) -> object:
    """The block's forward on shapes on every rank, every token sent to its experts; the fullest tape."""
    tokens = sizes["s"] * sizes["b_m"]
    if tokens * E * k_E > 2_000:
        return None
    block = Block(
        sizes["s"], sizes["b_m"], sizes["D"], sizes["H"], sizes["K"], sizes["d_h"],
        experts=Experts(E, k_E, F_E, E_s, phi), width=sizes["a"], dropout=False, flash=True,
    )  # fmt: skip
    return fullest_rank(block, Mesh(t, c, sequence_parallel=True))


BLOCK_ACTIVATIONS_MOE = derivation(
    "block-activations-moe",
    title="Activations a block with experts saves under tensor, sequence and context parallelism",
    unit=BYTE,
    letters={
        **{letter: concept for letter, concept in LLAMA_MESH.items() if letter != "F"},
        "E": EXPERTS, "k_E": ACTIVE_EXPERTS, "F_E": D_EXPERT, "E_s": SHARED_EXPERTS,
        "phi": CAPACITY_FACTOR,
    },
    given=(HEADS_SPLIT, KV_FIT, KV_SPLIT, "t divides F_E", "t divides s", "c divides s"),
    source=WEIGHTED_SWIGLU,
    oracle=route_and_run,
    convention="Routed experts are whole on their ranks; a rank receives as many tokens as it sends, "
    "times `phi`. Weights multiply the hidden values, so the experts' answers need not be kept; where "
    "they multiply the answers, `a*s*b_m*k_E*phi*D/(t*c)` more are.",
    leaves_out=LEAVES_OUT + " Which token went where (indices), and buffers of the exchange.",
    ledger=saved(
        w="a", q="H*d_h", kv="max(K/t, 1)*d_h", inside="(t*c)", inside_kv="c", outside="(t*c)",
        ffn="experts", dropout=False, flash=True,
    ),
    holds_for={
        WITH_EXPERTS: "block-activations-llama-mesh",
        WITHOUT_LATENT: "block-activations-mla",
        TWO_NORMS: "",
    },
    chain="""
    A_E = rows                                                            -- add the rows
      = a*s*b_m/c*((4*D + 2*H*d_h + k_E*phi*(D + 3*F_E) + 3*E_s*F_E)/t + 2*max(K/t, 1)*d_h)
        + 4[byte]*s*b_m*(E + k_E*phi)/(t*c) + 4[byte]*b_m*H*s/(t*c)       -- collect by bytes a value
    """,
)  # fmt: skip
