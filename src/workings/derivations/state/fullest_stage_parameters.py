"""Parameters of a rank of the fullest stage."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.state._stage_letters import (
    CONVENTION,
    FIRST,
    GIVEN,
    LAST,
    LEAVES_OUT,
    MIDDLE,
    SOURCE,
    stage_values,
)
from workings.derivations.state.first_stage_parameters import FIRST_STAGE_PARAMETERS
from workings.derivations.state.last_stage_parameters import LAST_STAGE_PARAMETERS
from workings.derivations.state.middle_stage_parameters import MIDDLE_STAGE_PARAMETERS
from workings.units import ONE


def list_every_stage(L_first: int, L_mid: int, L_last: int, **sizes: int) -> Fraction:
    """The tensors of every stage, listed with their shapes and dealt to its ranks; the most one holds."""
    return max(stage_values((L_first, L_mid, L_last), **sizes))


FULLEST_STAGE_PARAMETERS = derivation(
    "fullest-stage-parameters",
    title="Parameters of a rank of the fullest stage",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the tensor-parallel ranks",
    letters={**LAST, **MIDDLE, **FIRST},
    uses={
        "P_first": FIRST_STAGE_PARAMETERS.at(),
        "P_mid": MIDDLE_STAGE_PARAMETERS.at(),
        "P_last": LAST_STAGE_PARAMETERS.at(),
    },
    source=SOURCE,
    oracle=list_every_stage,
    convention=CONVENTION + " Three stages at least; all stages between the ends are alike.",
    leaves_out=LEAVES_OUT,
    given=GIVEN,
    chain="""
    P_max = max(P_first, P_mid, P_last)       -- a plan fits when its fullest rank fits
    """,
)
