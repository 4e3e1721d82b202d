"""Weights of the matmuls of a block with experts."""

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import ATTENTION
from workings.derivations.hierarchy._sources import MEGATRON_EXPERTS
from workings.simulate.tensors import Tensor, total_elements
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.model import D_EXPERT, EXPERTS, FFN_MATRICES, SHARED_EXPERTS


def list_the_matrices_of_experts(
    D: int, H: int, K: int, d_h: int, n_f: int, F_E: int, E: int, E_s: int
) -> int:
    """Every matrix of attention, router and experts with its shape."""
    shapes = [(D, H * d_h), (D, K * d_h), (D, K * d_h), (H * d_h, D), (D, E)]
    for _ in range(E + E_s):
        shapes += [*((D, F_E) for _ in range(n_f - 1)), (F_E, D)]
    return total_elements([Tensor(f"w_{i}", shape, 1) for i, shape in enumerate(shapes)])


MOE_BLOCK_WEIGHTS = derivation(
    "moe-block-weights",
    title="Weights of the matmuls of a block with experts",
    unit=ONE,
    noun="parameters",
    letters={**ATTENTION, "n_f": FFN_MATRICES, "F_E": D_EXPERT, "E": EXPERTS, "E_s": SHARED_EXPERTS},
    source=MEGATRON_EXPERTS,
    oracle=list_the_matrices_of_experts,
    convention="All experts of the block, whichever a token goes to.",
    leaves_out="Norms, biases and embeddings.",
    holds_for={WITH_EXPERTS: "block-weights", WITHOUT_LATENT: ""},
    chain="""
    P_mb = D*(H*d_h) + 2*D*(K*d_h) + (H*d_h)*D + D*E + sum(sum(D*F_E, (i, 1, n_f)), (j, 1, E + E_s))
                                       -- query, key and value, output, router, and every expert
      = 2*D*d_h*(H + K) + D*E + (E + E_s)*n_f*D*F_E      -- collect
    """,
)
