"""What a block with experts saves, without parallelism."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.activations._block_letters import KV_FIT, LEAVES_OUT, LLAMA
from workings.derivations.activations._sources import WEIGHTED_SWIGLU
from workings.derivations.activations.block_activations_moe import BLOCK_ACTIVATIONS_MOE, route_and_run
from workings.units import BYTE
from workings.vocabulary.kinds import TWO_NORMS, WITH_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import ACTIVE_EXPERTS, D_EXPERT, EXPERTS, SHARED_EXPERTS

MIXTURE = {"E": EXPERTS, "k_E": ACTIVE_EXPERTS, "F_E": D_EXPERT, "E_s": SHARED_EXPERTS}
NOTHING_DROPPED = "No token is dropped and none padded, so an expert keeps what it is sent."


def route_on_one_device(**letters: Any) -> object:
    """The block's forward on shapes on one device, every token sent to its experts; the tape."""
    return route_and_run(**letters, phi=Fraction(1), t=1, c=1)


BLOCK_ACTIVATIONS_EXPERTS = derivation(
    "block-activations-experts",
    title="Activations a block with experts saves, no token dropped",
    unit=BYTE,
    letters={**{name: concept for name, concept in LLAMA.items() if name != "F"}, **MIXTURE},
    uses={"A_E": BLOCK_ACTIVATIONS_MOE.at(t="1", c="1", phi="1")},
    given=(KV_FIT,),
    source=WEIGHTED_SWIGLU,
    oracle=route_on_one_device,
    convention=f"{NOTHING_DROPPED} Grouped-query attention by FlashAttention, gated experts.",
    leaves_out=LEAVES_OUT + " Which token went where (indices), and buffers of the exchange.",
    holds_for={
        WITH_EXPERTS: "block-activations-llama",
        WITHOUT_LATENT: "block-activations-mla",
        TWO_NORMS: "",
    },
    chain="""
    A_X = A_E                           -- on one device, with room for each expert's even share
      = a*s*b_m*(4*D + 2*H*d_h + k_E*(D + 3*F_E) + 3*E_s*F_E + 2*K*d_h)
        + 4[byte]*s*b_m*(E + k_E) + 4[byte]*b_m*H*s                         -- put it in
    """,
)
