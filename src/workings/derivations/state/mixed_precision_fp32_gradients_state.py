"""BF16 weights, FP32 gradients and master, with Adam."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import DISTRIBUTED_OPTIMIZER
from workings.simulate.stored_state import keep, total
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS


def list_every_value(P: int) -> Fraction:
    """Every number kept for every parameter, its bytes from the bits of its format."""
    kinds = {
        "weight": "bf16", "main gradient": "fp32", "master": "fp32", "first moment": "fp32",
        "second moment": "fp32",
    }  # fmt: skip
    return total(keep(P, kinds))


MIXED_PRECISION_FP32_GRADIENTS_STATE = derivation(
    "mixed-precision-fp32-gradients-state",
    title="Model state in mixed precision with gradients accumulated in FP32",
    unit=BYTE,
    letters={"P": PARAMETERS},
    source=DISTRIBUTED_OPTIMIZER,
    oracle=list_every_value,
    leaves_out="BF16 gradients of the layer at work, added to the FP32 ones as soon as complete.",
    ledger=(
        Row("weights", "2[byte]*P", "BF16, what the forward and the backward read"),
        Row("main gradients", "4[byte]*P", "FP32, summed over micro-batches"),
        Row("master weights", "4[byte]*P", "FP32, what the optimizer updates"),
        Row("first moments", "4[byte]*P", "FP32"),
        Row("second moments", "4[byte]*P", "FP32"),
    ),
    chain="""
    S_18 = rows                 -- add the rows
      = 18[byte]*P              -- 2 bytes more a parameter than with 16-bit gradients
    """,
)
