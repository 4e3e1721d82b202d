"""A layer with experts, fully recomputed."""

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


def walk_forward_twice_and_back(**letters: Any) -> Fraction:
    """Every collective of forward, forward again and backward walked round its ring."""
    return walk(["reduce", "reduce", "reduce"], THERE_AND_BACK * 3, **letters)


MOE_TP_RECOMPUTE_LAYER_BYTES = derivation(
    "moe-tp-recompute-layer-bytes",
    title="Bytes a rank sends in one layer with experts under tensor parallelism, fully recomputed",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_AR": ALL_REDUCE, "V_XG": EXPERT_GATHER, "V_XS": EXPERT_SCATTER},
    given=("c divides s",),
    source=DISPATCHER,
    oracle=walk_forward_twice_and_back,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    holds_for={WITH_EXPERTS: "tp-recompute-layer-bytes"},
    chain="""
    V_TXr = 3*(1 + min(1, E_s))*V_AR + 3*(V_XG + V_XS)
        -- forward, forward again, backward
      = (1 + min(1, E_s))*6*(t - 1)/t*(a*b_m*s*D/c) + 6*(t_e - 1)*k_E*a*b_m*s*D/(t*c)
        -- put the rings in
    """,
)
