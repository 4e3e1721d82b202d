"""What sending gradients in fewer bytes saves, whatever the model."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import MIXED_PRECISION
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import GRADIENT_WIDTH, REDUCE_WIDTH


def shorten_every_gradient(P: int, w_g: Fraction, g: Fraction) -> Fraction | None:
    """Each parameter's gradient in one width and in the other, the difference added up."""
    if P > 200_000:
        return None
    return sum((w_g - g for _ in range(P)), Fraction(0))


NARROW_GRADIENT_SAVING = derivation(
    "narrow-gradient-saving",
    title="Memory saved by gradients of fewer bytes, for any model",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_g": GRADIENT_WIDTH, "g": REDUCE_WIDTH},
    given=("w_g >= g",),
    source=MIXED_PRECISION,
    oracle=shorten_every_gradient,
    leaves_out="Rounding, and the master copy that sums of small gradients may need.",
    chain="""
    E_any = w_g*P - g*P      -- the same gradients, stored in fewer bytes each
      = (w_g - g)*P          -- bytes saved a parameter, times parameters
    """,
)
