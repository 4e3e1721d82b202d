"""Parameters of a rank of the last stage."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._stage_letters import CONVENTION, LAST, SOURCE, stage_values
from workings.units import ONE


def list_last_stage(L_last: int, P_l: int, t: int, V: int, D: int) -> Fraction:
    """The tensors of the last stage, listed with their shapes; the norm whole, the rest shared."""
    in_all = stage_values(1, 1, L_last, P_l, V, D)[2]
    return Fraction(in_all - D, t) + D


LAST_STAGE_PARAMETERS = derivation(
    "last-stage-parameters",
    title="Parameters of a rank of the last stage",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the tensor-parallel ranks",
    letters=LAST,
    source=SOURCE,
    oracle=list_last_stage,
    convention=CONVENTION + " The final norm has a weight and no bias.",
    leaves_out="Norms and biases inside blocks that every tensor-parallel rank keeps whole.",
    ledger=(
        Row("blocks", "L_last*P_l", "this stage's blocks", "t"),
        Row("final norm", "D", "whole on every tensor-parallel rank", where="last"),
        Row("head", "V*D", "the output table lies on the last stage only", "t", where="last"),
    ),
    chain="""
    P_last = rows                        -- add the rows
      = (V*D + L_last*P_l)/t + D         -- a tensor-parallel rank's share, and the final norm
    """,
)
