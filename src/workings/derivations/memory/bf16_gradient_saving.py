"""What keeping gradients in BF16 saves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters.feed_forward import FFN_PARAMETERS
from workings.derivations.sources import MIXED_PRECISION
from workings.simulate.stored_state import bytes_of
from workings.simulate.tensors import ffn_weights, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import GRADIENT_WIDTH


def two_lists_of_gradients(L: int, D: int, F: int, w_g: Fraction) -> Fraction:
    """Two lists of all gradient tensors, one as stored and one in BF16, and their difference."""
    bf16 = Fraction(bytes_of("bf16"))
    return total_bytes(ffn_weights(L, D, F, w_g)) - total_bytes(ffn_weights(L, D, F, bf16))


BF16_GRADIENT_SAVING = derivation(
    "bf16-gradient-saving",
    title="Memory saved by storing gradients in BF16, of a feed-forward stack",
    unit=BYTE,
    letters={"L": BLOCKS, "D": D_MODEL, "F": D_FF, "w_g": GRADIENT_WIDTH},
    uses={"P": FFN_PARAMETERS.at()},
    given=("w_g >= 2[byte]",),
    source=MIXED_PRECISION,
    oracle=two_lists_of_gradients,
    leaves_out="Rounding, and the master copy that sums of small gradients may need.",
    holds_for={WITHOUT_ATTENTION: "narrow-gradient-saving"},
    chain="""
    E = w_g*P - 2[byte]*P      -- the same gradients, stored in two bytes each
      = (w_g - 2[byte])*P      -- bytes saved a parameter, times parameters
    """,
)
