"""What sending gradients in fewer bytes saves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters.ffn_parameters import FFN_PARAMETERS
from workings.derivations.sources import MIXED_PRECISION
from workings.simulate.tensors import ffn_weights, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import GRADIENT_WIDTH, REDUCE_WIDTH


def two_lists_of_gradients(L: int, D: int, F: int, w_g: Fraction, g: Fraction) -> Fraction:
    """Two lists of all gradient tensors, one in each width, and their difference."""
    return total_bytes(ffn_weights(L, D, F, w_g)) - total_bytes(ffn_weights(L, D, F, g))


BF16_GRADIENT_SAVING = derivation(
    "bf16-gradient-saving",
    title="Memory saved by gradients of fewer bytes, of a feed-forward stack",
    unit=BYTE,
    letters={"L": BLOCKS, "D": D_MODEL, "F": D_FF, "w_g": GRADIENT_WIDTH, "g": REDUCE_WIDTH},
    uses={"P": FFN_PARAMETERS.at()},
    given=("w_g >= g",),
    source=MIXED_PRECISION,
    oracle=two_lists_of_gradients,
    leaves_out="Rounding, and the master copy that sums of small gradients may need.",
    holds_for={WITHOUT_ATTENTION: "narrow-gradient-saving"},
    chain="""
    E = w_g*P - g*P      -- the same gradients, stored in fewer bytes each
      = (w_g - g)*P      -- bytes saved a parameter, times parameters
    """,
)
