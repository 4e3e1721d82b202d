"""What a block with experts saves on a rank where no token is dropped."""

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
from workings.derivations.activations._sources import WEIGHTED_SWIGLU
from workings.derivations.activations.block_activations_experts import MIXTURE, NOTHING_DROPPED
from workings.derivations.activations.block_activations_moe import BLOCK_ACTIVATIONS_MOE, route_and_run
from workings.units import BYTE
from workings.vocabulary.kinds import TWO_NORMS, WITH_EXPERTS, WITHOUT_LATENT


def route_without_room(**letters: Any) -> object:
    """The block's forward on shapes on every rank, every token sent to its experts; the fullest tape."""
    return route_and_run(**letters, phi=Fraction(1))


BLOCK_ACTIVATIONS_DROPLESS = derivation(
    "block-activations-dropless",
    title="Activations a block with experts saves on a mesh, no token dropped",
    unit=BYTE,
    letters={**{name: concept for name, concept in LLAMA_MESH.items() if name != "F"}, **MIXTURE},
    uses={"A_E": BLOCK_ACTIVATIONS_MOE.at(phi="1")},
    given=(HEADS_SPLIT, KV_FIT, KV_SPLIT, "t divides F_E", "t divides s", "c divides s"),
    source=WEIGHTED_SWIGLU,
    oracle=route_without_room,
    convention=f"{NOTHING_DROPPED} Tensor, sequence and context parallelism; routed experts are whole "
    "on their ranks.",
    leaves_out=LEAVES_OUT + " Which token went where (indices), and buffers of the exchange.",
    holds_for={
        WITH_EXPERTS: "block-activations-llama-mesh",
        WITHOUT_LATENT: "block-activations-mla",
        TWO_NORMS: "",
    },
    chain="""
    A_Xm = A_E                          -- with room for each expert's even share
      = a*s*b_m/c*((4*D + 2*H*d_h + k_E*(D + 3*F_E) + 3*E_s*F_E)/t + 2*max(K/t, 1)*d_h)
        + 4[byte]*s*b_m*(E + k_E)/(t*c) + 4[byte]*b_m*H*s/(t*c)             -- put it in
    """,
)
