"""Gradients of a rank that has experts."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.shares import EXPERT_RANK_PARAMETERS, place_every_matrix
from workings.derivations.hierarchy._sources import MEGATRON_EXPERTS
from workings.derivations.hierarchy.moe_dense_weights import (
    MOE_DENSE_WEIGHTS,
    OUTSIDE,
    place_what_is_no_expert,
)
from workings.units import BYTE
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT
from workings.vocabulary.layout import EP, ETP
from workings.vocabulary.training import REDUCE_WIDTH


def give_both_parts_gradients(
    D: int, H: int, K: int, d_h: int, n_f: int, F_E: int, E: int, E_s: int, L_E: int, t: int,
    e: int, t_e: int, g: Fraction,
) -> Fraction | None:  # fmt: skip
    """A gradient for every weight placed on a rank, in its experts and outside."""
    outside = place_what_is_no_expert(D, H, K, d_h, n_f, F_E, E, E_s, L_E, t)
    inside = place_every_matrix(L_E, E, e, t_e, D, F_E, n_f)
    return None if inside is None else (outside + inside) * g


MOE_DP_MESSAGE = derivation(
    "moe-dp-message",
    title="Gradients of a rank that has experts",
    unit=BYTE,
    letters={**OUTSIDE, "e": EP, "t_e": ETP, "g": REDUCE_WIDTH},
    uses={"P_out": MOE_DENSE_WEIGHTS.at(), "P_E": EXPERT_RANK_PARAMETERS.at()},
    given=("e divides E", "t_e divides F_E"),
    source=MEGATRON_EXPERTS,
    oracle=give_both_parts_gradients,
    convention="Two messages: those outside the experts are reduced over all replicas, those of experts "
    "over the copies of the experts. The stage with most blocks that have experts.",
    leaves_out="Embedding and head, norms and biases.",
    holds_for={EXPERT_BLOCKS: "", WITHOUT_LATENT: ""},
    chain="""
    S_moe = g*P_out + g*P_E         -- a gradient for each weight, outside the experts and in them
      = g*(P_out + P_E)             -- collect
    """,
)
