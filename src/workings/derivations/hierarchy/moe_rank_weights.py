"""Weights of the blocks with experts on one rank."""

from workings.derivation import derivation
from workings.derivations.experts.shares import EXPERT_RANK_PARAMETERS, place_every_matrix
from workings.derivations.hierarchy._sources import MEGATRON_EXPERTS
from workings.derivations.hierarchy.moe_dense_weights import (
    MOE_DENSE_WEIGHTS,
    OUTSIDE,
    place_what_is_no_expert,
)
from workings.units import ONE
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT
from workings.vocabulary.layout import EP, ETP


def place_both_parts(
    D: int, H: int, K: int, d_h: int, n_f: int, F_E: int, E: int, E_s: int, L_E: int, t: int,
    e: int, t_e: int,
) -> object:  # fmt: skip
    """Every matrix placed on a rank, in its experts and outside."""
    outside = place_what_is_no_expert(D, H, K, d_h, n_f, F_E, E, E_s, L_E, t)
    inside = place_every_matrix(L_E, E, e, t_e, D, F_E, n_f)
    return None if inside is None else outside + inside


MOE_RANK_WEIGHTS = derivation(
    "moe-rank-weights",
    title="Weights of the blocks with experts on one rank",
    unit=ONE,
    noun="parameters",
    letters={**OUTSIDE, "e": EP, "t_e": ETP},
    uses={"P_out": MOE_DENSE_WEIGHTS.at(), "P_E": EXPERT_RANK_PARAMETERS.at()},
    given=("e divides E", "t_e divides F_E"),
    source=MEGATRON_EXPERTS,
    oracle=place_both_parts,
    convention="Every block has experts. Of one stage; a scenario gives the one with most blocks.",
    leaves_out="Embedding and head, norms and biases.",
    holds_for={EXPERT_BLOCKS: "rank-weights", WITHOUT_LATENT: ""},
    chain="""
    P_mr = P_out + P_E              -- outside the routed experts, and in them
    """,
)
