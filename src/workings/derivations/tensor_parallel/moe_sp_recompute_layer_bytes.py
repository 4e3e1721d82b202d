"""A layer with experts by tokens, fully recomputed."""

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


def walk_by_tokens_twice(**letters: Any) -> Fraction:
    """Every collective of forward, forward again and backward walked, inputs gathered once more."""
    return walk(
        ["gather", "scatter", "gather", "scatter", "gather", "gather", "scatter"],
        THERE_AND_BACK * 3,
        **letters,
    )


MOE_SP_RECOMPUTE_LAYER_BYTES = derivation(
    "moe-sp-recompute-layer-bytes",
    title="Bytes a rank sends in one layer with experts under sequence parallelism, fully recomputed",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_AG": ALL_GATHER, "V_RS": REDUCE_SCATTER, "V_XG": EXPERT_GATHER, "V_XS": EXPERT_SCATTER},
    given=("c divides s",),
    source=DISPATCHER,
    oracle=walk_by_tokens_twice,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    holds_for={WITH_EXPERTS: "sp-recompute-layer-bytes"},
    chain="""
    V_SXr = (1 + min(1, E_s))*(4*V_AG + 3*V_RS) + 3*(V_XG + V_XS)
        -- forward, forward again, backward with the input gathered once more
      = (1 + min(1, E_s))*7*(t - 1)/t*(a*b_m*s*D/c) + 6*(t_e - 1)*k_E*a*b_m*s*D/(t*c)
        -- put the rings in
    """,
)
