"""Compute per gathered parameter of experts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.data_parallel._sources import KAKADE_ANAND
from workings.derivations.data_parallel._tokens import forward_flops
from workings.units import FLOP
from workings.vocabulary.model import ACTIVE_EXPERTS, D_EXPERT, D_MODEL, EXPERTS, FFN_MATRICES


def send_a_token_to_its_experts(E: int, k_E: int, D: int, F_E: int, n_f: int) -> Fraction:
    """One token through the first of all experts, product by product; over all their parameters."""
    experts = [[(D, F_E)] * n_f for _ in range(E)]
    flops = parameters = 0
    for place, matrices in enumerate(experts):
        for rows, columns in matrices:
            parameters += rows * columns
            flops += forward_flops(rows * columns) if place < k_E else 0
    return Fraction(flops, parameters)


MOE_COMPUTE_PER_PARAMETER = derivation(
    "moe-compute-per-parameter",
    title="Forward FLOPs a token and gathered parameter, of routed experts",
    unit=FLOP,
    letters={
        "E": EXPERTS,
        "k_E": ACTIVE_EXPERTS,
        "D": D_MODEL,
        "F_E": D_EXPERT,
        "n_f": FFN_MATRICES,
    },
    given=("k_E <= E",),
    source=KAKADE_ANAND,
    oracle=send_a_token_to_its_experts,
    convention="FSDP gathers all experts of a block; a token is computed by `k_E` of them.",
    leaves_out="The router and shared experts; expert parallelism, which need not gather experts at all.",
    chain="""
    f_E = sum(2[FLOP]*n_f*D*F_E, (i, 1, k_E))/sum(n_f*D*F_E, (i, 1, E))
                                       -- FLOPs of the experts it visits, over parameters of them all
      = k_E*(2[FLOP]*n_f*D*F_E)/(E*(n_f*D*F_E))      -- equal experts
      = 2[FLOP]*k_E/E                  -- `k_E/E` of a dense layer's
    """,
)
