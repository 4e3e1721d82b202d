"""Weights outside the experts on one rank."""

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import ATTENTION
from workings.derivations.hierarchy._sources import MEGATRON_EXPERTS
from workings.simulate.tensors import Tensor, total_elements
from workings.units import ONE
from workings.vocabulary.experts import STAGE_MOE_BLOCKS
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT
from workings.vocabulary.layout import TP
from workings.vocabulary.model import (
    D_EXPERT,
    EXPERTS,
    FFN_MATRICES,
    SHARED_EXPERTS,
)

OUTSIDE = {
    **ATTENTION,
    "n_f": FFN_MATRICES,
    "F_E": D_EXPERT,
    "E": EXPERTS,
    "E_s": SHARED_EXPERTS,
    "L_E": STAGE_MOE_BLOCKS,
    "t": TP,
}


def place_what_is_no_expert(
    D: int, H: int, K: int, d_h: int, n_f: int, F_E: int, E: int, E_s: int, L_E: int, t: int
) -> int:
    """Attention and shared experts dealt out by heads and columns, the router on each rank."""
    heads, keys, hidden = (len(range(0, whole, t)) for whole in (H, K, F_E))
    attention = [(D, heads * d_h), (D, keys * d_h), (D, keys * d_h), (heads * d_h, D)]
    shared = [(D, hidden)] * n_f * E_s
    cut = total_elements([Tensor("w", shape, 1) for shape in [*attention, *shared]])
    whole = Tensor("router", (D, E), 1).elements
    return sum(cut + whole for _ in range(L_E))


MOE_DENSE_WEIGHTS = derivation(
    "moe-dense-weights",
    title="Weights outside the routed experts on one rank",
    unit=ONE,
    noun="parameters",
    letters=OUTSIDE,
    given=(
        "t divides H",
        "t divides K",
        "t divides F_E",
    ),
    source=MEGATRON_EXPERTS,
    oracle=place_what_is_no_expert,
    convention="Every block has experts; tensor-parallel ranks share attention and shared experts, and "
    "each has the router. Of one stage; a scenario gives the one with most blocks that have experts.",
    leaves_out="Embedding and head, norms and biases.",
    holds_for={EXPERT_BLOCKS: "", WITHOUT_LATENT: ""},
    chain="""
    P_out = L_E*((D*(H*d_h) + 2*D*(K*d_h) + (H*d_h)*D + E_s*n_f*D*F_E)/t + D*E)
                                       -- query, key and value, output, shared experts, and the router
      = L_E*((2*D*d_h*(H + K) + E_s*n_f*D*F_E)/t + D*E)      -- collect
    """,
)
