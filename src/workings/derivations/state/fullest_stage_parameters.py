"""Parameters of a rank of the fullest stage."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.state._stage_letters import (
    CONVENTION,
    FIRST,
    LAST,
    LEAVES_OUT,
    MIDDLE,
    SOURCE,
)
from workings.derivations.state.first_stage_parameters import FIRST_STAGE_PARAMETERS
from workings.derivations.state.last_stage_parameters import LAST_STAGE_PARAMETERS
from workings.derivations.state.middle_stage_parameters import MIDDLE_STAGE_PARAMETERS
from workings.simulate.stage_placement import stage_parts
from workings.units import ONE


def list_every_stage(L_first: int, L_mid: int, L_last: int, P_l: int, t: int, V: int, D: int) -> Fraction:
    """The tensors of every stage, listed with their shapes; the most that a rank holds."""
    held = [Fraction(0)] * 3
    for stage, parts in enumerate(stage_parts([L_first, L_mid, L_last], P_l, V, D)):
        for part in parts:
            held[stage] += part.values if part.name == "final norm" else Fraction(part.values, t)
    return max(held)


FULLEST_STAGE_PARAMETERS = derivation(
    "fullest-stage-parameters",
    title="Parameters of a rank of the fullest stage",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the tensor-parallel ranks",
    letters={**FIRST, **MIDDLE, **LAST},
    uses={
        "P_first": FIRST_STAGE_PARAMETERS.at(),
        "P_mid": MIDDLE_STAGE_PARAMETERS.at(),
        "P_last": LAST_STAGE_PARAMETERS.at(),
    },
    source=SOURCE,
    oracle=list_every_stage,
    convention=CONVENTION + " Three stages at least; all stages between the ends are alike.",
    leaves_out=LEAVES_OUT,
    chain="""
    P_max = max(P_first, P_mid, P_last)       -- a plan fits when its fullest rank fits
    """,
)
