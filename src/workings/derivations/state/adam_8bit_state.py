"""FP32 weights and gradients, with Adam's moments in 8 bits."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import EIGHT_BIT
from workings.simulate.stored_state import keep, keep_scales, total
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.state import QUANT_BLOCK


def list_every_value(P: int, B_q: int) -> Fraction:
    """Every number and every scale kept, their bytes from the bits of their formats."""
    kinds = {"weight": "fp32", "gradient": "fp32", "first moment": "int8", "second moment": "int8"}
    scales = [s for moment in ("first", "second") for s in keep_scales(P, B_q, moment, "fp32")]
    return total([*keep(P, kinds), *scales])


ADAM_8BIT_STATE = derivation(
    "adam-8bit-state",
    title="Model state in FP32 with 8-bit Adam",
    unit=BYTE,
    letters={"P": PARAMETERS, "B_q": QUANT_BLOCK},
    source=EIGHT_BIT,
    oracle=list_every_value,
    convention="The paper's blocks hold `B_q = 2,048` values; each tensor of moments is cut into blocks.",
    leaves_out="The 256 levels of the 8-bit code, shared by all; tensors too small to be worth it stay "
    "FP32.",
    ledger=(
        Row("weights", "4[byte]*P", "FP32"),
        Row("gradients", "4[byte]*P", "FP32"),
        Row("first moments", "1[byte]*P", "8 bits"),
        Row("second moments", "1[byte]*P", "8 bits"),
        Row("scales of the first moments", "4[byte]*ceil(P/B_q)", "FP32, one a block"),
        Row("scales of the second moments", "4[byte]*ceil(P/B_q)", "FP32, one a block"),
    ),
    chain="""
    S_int8 = rows                                -- add the rows
      = 10[byte]*P + 8[byte]*ceil(P/B_q)         -- the moments shrink from 8 bytes to 2 and a little
    """,
)
