"""The gradients of a rank that has experts, in two messages: the letters, and both rings walked."""

from fractions import Fraction

from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.experts.shares import EXPERT_RANK_PARAMETERS, place_every_matrix
from workings.derivations.hierarchy._letters import EXPERTS_TIMED, LONGEST_RING
from workings.derivations.hierarchy.moe_block_forward_time import MOE_BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.moe_dense_weights import (
    MOE_DENSE_WEIGHTS,
    place_what_is_no_expert,
)
from workings.simulate.ring import all_reduce
from workings.vocabulary.experts import STAGE_MOE_BLOCKS
from workings.vocabulary.layout import DP, EDP, EP, ETP
from workings.vocabulary.training import REDUCE_WIDTH

LETTERS = {
    **EXPERTS_TIMED, "L_E": STAGE_MOE_BLOCKS, "e": EP, "t_e": ETP, "d": DP, "d_e": EDP,
    "g": REDUCE_WIDTH,
}  # fmt: skip
_OUTSIDE = "L_E*((2*D*d_h*(H + K) + E_s*n_f*D*F_E)/t + D*E)"
_INSIDE = "L_E*(E/e)*(n_f*D*F_E/t_e)"
USES = {
    "P_out": MOE_DENSE_WEIGHTS.at(),
    "P_E": EXPERT_RANK_PARAMETERS.at(),
    "T_m": MOE_BLOCK_FORWARD_TIME.at(),
    "V_out": RING_ALL_REDUCE.at(N="c*d", S=f"g*{_OUTSIDE}"),
    "V_in": RING_ALL_REDUCE.at(N="d_e", S=f"g*{_INSIDE}"),
}
GIVEN = (
    "L_E > 0", "k_E <= E", "e divides E", "t_e divides F_E", "c*t divides s", "t divides H",
    "t divides K", "t divides F_E",
)  # fmt: skip
CONVENTION = (
    "One way, for each rank: gradients outside the experts on a ring over `c*d` ranks, those of experts "
    "over the `d_e` copies of the experts. Every block has experts."
)


def reduce_both_parts(
    D: int, H: int, K: int, d_h: int, n_f: int, F_E: int, E: int, E_s: int, L_E: int, t: int,
    e: int, t_e: int, c: int, d: int, d_e: int, g: Fraction,
) -> Fraction | None:  # fmt: skip
    """Every matrix placed on a rank; both messages reduced on their rings hop by hop, bytes counted."""
    if c * d > LONGEST_RING or d_e > LONGEST_RING:
        return None
    outside = place_what_is_no_expert(D, H, K, d_h, n_f, F_E, E, E_s, L_E, t)
    inside = place_every_matrix(L_E, E, e, t_e, D, F_E, n_f)
    if inside is None:
        return None
    messages = ((c * d, outside * g), (d_e, inside * g))
    return sum((all_reduce(ranks, size).sent[0] for ranks, size in messages if size), Fraction(0))
