"""FP8 weights beside an FP32 master, moments in BF16."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import DEEPSEEK_V3_STORAGE
from workings.simulate.stored_state import keep, keep_scales, total
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.state import QUANT_BLOCK


def list_every_value(P: int, B_q: int) -> Fraction:
    """Every number and every scale kept, their bytes from the bits of their formats."""
    kinds = {
        "weight": "fp8", "gradient": "fp32", "master": "fp32", "first moment": "bf16",
        "second moment": "bf16",
    }  # fmt: skip
    return total([*keep(P, kinds), *keep_scales(P, B_q, "scale", "fp32")])


FP8_STATE = derivation(
    "fp8-state",
    title="Model state with FP8 weights and BF16 moments",
    unit=BYTE,
    letters={"P": PARAMETERS, "B_q": QUANT_BLOCK},
    source=DEEPSEEK_V3_STORAGE,
    oracle=list_every_value,
    convention="Every weight has an FP8 copy that stays between steps, with a scale for each block: "
    "`B_q = 16,384` for blocks of 128 by 128.",
    leaves_out="The modules kept in higher precision (embeddings, head, router, norms, attention), and "
    "the last, partial block of each matrix.",
    ledger=(
        Row("weights", "1[byte]*P", "FP8, what the matrix products read"),
        Row("scales", "4[byte]*ceil(P/B_q)", "FP32, one a block of weights"),
        Row("gradients", "4[byte]*P", "FP32, summed over micro-batches"),
        Row("master weights", "4[byte]*P", "FP32"),
        Row("first moments", "2[byte]*P", "BF16"),
        Row("second moments", "2[byte]*P", "BF16"),
    ),
    chain="""
    S_8 = rows                                -- add the rows
      = 13[byte]*P + 4[byte]*ceil(P/B_q)      -- collect: BF16 moments save 4 bytes a parameter
    """,
)
