"""All in FP32, with stochastic gradient descent."""

from fractions import Fraction

from workings.chain import under
from workings.derivation import derivation
from workings.derivations.state._sgd_rows import ROWS
from workings.derivations.state._sources import EIGHT_BIT
from workings.simulate.stored_state import keep, total
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS


def list_every_value(P: int) -> Fraction:
    """Every number kept for every parameter, its bytes from the bits of its format."""
    return total(keep(P, {"weight": "fp32", "gradient": "fp32"}))


SGD_STATE = derivation(
    "sgd-state",
    title="Model state in FP32 with stochastic gradient descent",
    unit=BYTE,
    letters={"P": PARAMETERS},
    source=EIGHT_BIT,
    oracle=list_every_value,
    leaves_out="Temporaries of the optimizer step, and padding.",
    ledger=under(ROWS, momentum=False),
    chain="""
    S_sgd = rows               -- add the rows: the optimizer keeps nothing of its own
      = 8[byte]*P              -- half of what Adam needs
    """,
)
