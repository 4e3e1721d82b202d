"""A layer with experts whose inputs are gathered again."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_GATHER, REDUCE_SCATTER
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


def walk_gathering_again(**letters: Any) -> Fraction:
    """Every collective of forward and backward walked, the whole input gathered once more."""
    return walk(["gather", "scatter", "gather", "gather", "scatter"], THERE_AND_BACK * 2, **letters)


MOE_SP_REGATHER_LAYER_BYTES = derivation(
    "moe-sp-regather-layer-bytes",
    title="Bytes a rank sends in one layer with experts by sequence parallelism, inputs gathered again",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_AG": ALL_GATHER, "V_RS": REDUCE_SCATTER, "V_XG": EXPERT_GATHER, "V_XS": EXPERT_SCATTER},
    given=("c divides s",),
    source=DISPATCHER,
    oracle=walk_gathering_again,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    holds_for={WITH_EXPERTS: "sp-regather-layer-bytes"},
    chain="""
    V_SX = (1 + min(1, E_s))*(3*V_AG + 2*V_RS) + 2*(V_XG + V_XS)
        -- of attention and shared experts five passes; routed tokens as without
      = (1 + min(1, E_s))*5*(t - 1)/t*(a*b_m*s*D/c) + 4*(t_e - 1)*k_E*a*b_m*s*D/(t*c)
        -- put the rings in
    """,
)
