"""Parameters of a rank of the first stage."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._stage_letters import CONVENTION, FIRST, LEAVES_OUT, SOURCE, stage_values
from workings.units import ONE


def list_first_stage(L_first: int, P_l: int, t: int, V: int, D: int) -> Fraction:
    """The tensors of the first stage, listed with their shapes; the mean of its ranks."""
    return Fraction(stage_values(L_first, 1, 1, P_l, V, D)[0], t)


FIRST_STAGE_PARAMETERS = derivation(
    "first-stage-parameters",
    title="Parameters of a rank of the first stage",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the tensor-parallel ranks",
    letters=FIRST,
    source=SOURCE,
    oracle=list_first_stage,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=(
        Row("embedding", "V*D", "the input table lies on the first stage only", "t", where="first"),
        Row("blocks", "L_first*P_l", "this stage's blocks", "t"),
    ),
    chain="""
    P_first = rows                      -- add the rows
      = (V*D + L_first*P_l)/t           -- a tensor-parallel rank's share
    """,
)
