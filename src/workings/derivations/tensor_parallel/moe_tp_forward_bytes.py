"""A layer with experts, forward."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE
from workings.derivations.tensor_parallel._experts import (
    CONVENTION,
    DISPATCHER,
    EXPERT_GATHER,
    EXPERT_SCATTER,
    LEAVES_OUT,
    LETTERS,
    THERE_AND_BACK,
    walk,
)
from workings.units import BYTE
from workings.vocabulary.kinds import WITH_EXPERTS


def walk_forward(**letters: Any) -> Fraction:
    """Every collective of the forward pass walked round its ring."""
    return walk(["reduce"], THERE_AND_BACK, **letters)


MOE_TP_FORWARD_BYTES = derivation(
    "moe-tp-forward-bytes",
    title="Bytes a rank sends in the forward pass of a layer with experts under tensor parallelism",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_AR": ALL_REDUCE, "V_XG": EXPERT_GATHER, "V_XS": EXPERT_SCATTER},
    given=("c divides s",),
    source=DISPATCHER,
    oracle=walk_forward,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    holds_for={WITH_EXPERTS: "tp-forward-bytes"},
    chain="""
    V_fX = (1 + min(1, E_s))*V_AR + V_XG + V_XS
        -- attention's sums and shared experts'; routed tokens gathered and scattered
      = (1 + min(1, E_s))*2*(t - 1)/t*(a*b_m*s*D/c) + 2*(t_e - 1)*k_E*a*b_m*s*D/(t*c)
        -- put the rings in
    """,
)
