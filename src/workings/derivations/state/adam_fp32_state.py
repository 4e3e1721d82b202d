"""All in FP32, with Adam."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import MEGATRON_MEMORY
from workings.simulate.stored_state import keep, total
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS


def list_every_value(P: int) -> Fraction:
    """Every number kept for every parameter, its bytes from the bits of its format."""
    kinds = {"weight": "fp32", "gradient": "fp32", "first moment": "fp32", "second moment": "fp32"}
    return total(keep(P, kinds))


ADAM_FP32_STATE = derivation(
    "adam-fp32-state",
    title="Model state in FP32 with Adam",
    unit=BYTE,
    letters={"P": PARAMETERS},
    source=MEGATRON_MEMORY,
    oracle=list_every_value,
    leaves_out="Temporaries of the optimizer step, and padding.",
    ledger=(
        Row("weights", "4[byte]*P", "FP32"),
        Row("gradients", "4[byte]*P", "FP32"),
        Row("first moments", "4[byte]*P", "the running mean of the gradient"),
        Row("second moments", "4[byte]*P", "the running mean of its square"),
    ),
    chain="""
    S_fp32 = rows              -- add the rows
      = 16[byte]*P             -- 4 numbers of 4 bytes a parameter
    """,
)
