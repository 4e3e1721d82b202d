"""Parameters of a rank of the first stage."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._stage_letters import (
    CONVENTION,
    FIRST,
    GIVEN,
    LEAVES_OUT,
    SOURCE,
    stage_values,
)
from workings.units import ONE


def list_first_stage(L_first: int, **sizes: int) -> Fraction:
    """The tensors of the first stage, listed with their shapes and dealt to its ranks; the fullest."""
    return stage_values((L_first, 1, 1), **sizes)[0]


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
    given=GIVEN,
    ledger=(
        Row("embedding", "ceil(V/t)*D", "the input table lies on the first stage only", where="first"),
        Row("learned positions", "n_pos*D", "whole on every tensor-parallel rank", where="first"),
        Row("blocks, split", "L_first*(P_l - R_l)", "this stage's blocks", "t"),
        Row("blocks, copied", "L_first*R_l", "norms, biases of row-parallel products"),
    ),
    chain="""
    P_first = rows                                              -- add the rows
      = (ceil(V/t) + n_pos)*D + L_first*((P_l - R_l)/t + R_l)   -- a tensor-parallel rank's share
    """,
)
