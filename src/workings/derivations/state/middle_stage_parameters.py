"""Parameters of a rank of a stage between the ends."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.state._stage_letters import GIVEN, LEAVES_OUT, MIDDLE, SOURCE, stage_values
from workings.units import ONE


def list_middle_stage(L_mid: int, **sizes: int) -> Fraction:
    """The tensors of a middle stage, listed with their shapes and dealt to its ranks."""
    return stage_values((1, L_mid, 1), V=3, D=2, **sizes)[1]


MIDDLE_STAGE_PARAMETERS = derivation(
    "middle-stage-parameters",
    title="Parameters of a rank of a stage between the ends",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the tensor-parallel ranks",
    letters=MIDDLE,
    source=SOURCE,
    oracle=list_middle_stage,
    leaves_out=LEAVES_OUT,
    given=GIVEN,
    chain="""
    P_mid = sum((P_l - R_l)/t + R_l, (i, 1, L_mid))     -- a rank's share of each block
      = L_mid*((P_l - R_l)/t + R_l)                     -- equal terms: neither embedding nor head
    """,
)
