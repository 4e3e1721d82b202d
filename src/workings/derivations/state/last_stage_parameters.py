"""Parameters of a rank of the last stage."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._stage_letters import (
    CONVENTION,
    GIVEN,
    LAST,
    LEAVES_OUT,
    SOURCE,
    stage_values,
)
from workings.units import ONE


def list_last_stage(L_last: int, **sizes: int) -> Fraction:
    """The tensors of the last stage, listed with their shapes and dealt to its ranks; the fullest."""
    return stage_values((1, 1, L_last), **sizes)[2]


LAST_STAGE_PARAMETERS = derivation(
    "last-stage-parameters",
    title="Parameters of a rank of the last stage",
    unit=ONE,
    noun="parameters",
    fractional="in the mean over the tensor-parallel ranks",
    letters=LAST,
    source=SOURCE,
    oracle=list_last_stage,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    given=GIVEN,
    ledger=(
        Row("blocks, split", "L_last*(P_l - R_l)", "this stage's blocks", "t"),
        Row("blocks, copied", "L_last*R_l", "norms, biases of row-parallel products"),
        Row("final norm", "(1 + beta_n)*D", "whole on every tensor-parallel rank", where="last"),
        Row("head", "ceil(V/t)*D", "the output table lies on the last stage only", where="last"),
    ),
    chain="""
    P_last = rows                                                       -- add the rows
      = (ceil(V/t) + 1 + beta_n)*D + L_last*((P_l - R_l)/t + R_l)       -- a tensor-parallel rank's share
    """,
)
