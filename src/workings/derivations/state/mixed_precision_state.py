"""BF16 weights and gradients, FP32 master, with Adam."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import ZERO_STATE
from workings.simulate.stored_state import keep, total
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS


def list_every_value(P: int) -> Fraction:
    """Every number kept for every parameter, its bytes from the bits of its format."""
    kinds = {
        "weight": "bf16", "gradient": "bf16", "master": "fp32", "first moment": "fp32",
        "second moment": "fp32",
    }  # fmt: skip
    return total(keep(P, kinds))


MIXED_PRECISION_STATE = derivation(
    "mixed-precision-state",
    title="Model state in mixed precision with Adam",
    unit=BYTE,
    letters={"P": PARAMETERS},
    source=ZERO_STATE,
    oracle=list_every_value,
    convention="Gradients are kept in 16 bits, as in the paper; FP16 or BF16 take the same bytes.",
    ledger=(
        Row("weights", "2[byte]*P", "16 bits, what the forward and the backward read"),
        Row("gradients", "2[byte]*P", "16 bits, as the backward writes them"),
        Row("master weights", "4[byte]*P", "FP32, what the optimizer updates"),
        Row("first moments", "4[byte]*P", "FP32"),
        Row("second moments", "4[byte]*P", "FP32"),
    ),
    chain="""
    S_16 = rows                          -- add the rows
      = 2[byte]*P + 2[byte]*P + 12[byte]*P  -- the optimizer's part is 12 bytes a parameter
      = 16[byte]*P                       -- as much as FP32 training: only the compute is cheaper
    """,
)
