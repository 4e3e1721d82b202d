"""Any precision recipe with Adam."""

from fractions import Fraction
from typing import Any

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._recipe import LETTERS, values
from workings.derivations.state._sources import DISTRIBUTED_OPTIMIZER
from workings.simulate.stored_state import total
from workings.units import BYTE


def list_every_value(**letters: Any) -> Fraction:
    """Every number kept for every parameter, one after the other."""
    return total(values(**letters))


TRAINING_STATE = derivation(
    "training-state",
    title="Model state of any precision recipe with Adam",
    unit=BYTE,
    letters=LETTERS,
    source=DISTRIBUTED_OPTIMIZER,
    oracle=list_every_value,
    convention="Where one copy of the weights serves both the optimizer and the forward, it is the "
    "master and `w_c = 0`.",
    ledger=(
        Row("working weights", "w_c*P", "what the forward and the backward read"),
        Row("gradients", "w_g*P", "one a parameter"),
        Row("master weights", "w_p*P", "what the optimizer updates"),
        Row("first moments", "w_o*P", "the running mean of the gradient"),
        Row("second moments", "w_o*P", "the running mean of its square"),
    ),
    chain="""
    S_any = rows                          -- add the rows
      = (w_p + w_g + 2*w_o + w_c)*P       -- bytes a parameter, times parameters
    """,
)
