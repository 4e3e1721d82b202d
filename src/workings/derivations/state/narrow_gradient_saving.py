"""What storing gradients in two bytes saves, whatever the model."""

from fractions import Fraction
from io import BytesIO

from workings.derivation import derivation
from workings.derivations.sources import MIXED_PRECISION
from workings.simulate.stored_state import bytes_of
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import GRADIENT_WIDTH


def shorten_every_gradient(P: int, w_g: Fraction) -> Fraction | None:
    """Two files really written gradient by gradient, as stored and in BF16; the bytes between them."""
    if P * w_g > 10**6:
        return None
    files, pieces = (BytesIO(), BytesIO()), w_g.denominator
    for gradient in range(P):
        for file, width in zip(files, (w_g, bytes_of("bf16")), strict=True):
            file.write(bytes(gradient % 256 for _ in range(int(width * pieces))))
    stored, shortened = (file.tell() for file in files)
    return Fraction(stored - shortened, pieces)


NARROW_GRADIENT_SAVING = derivation(
    "narrow-gradient-saving",
    title="Memory saved by storing gradients in BF16, for any model",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_g": GRADIENT_WIDTH},
    given=("w_g >= 2[byte]",),
    source=MIXED_PRECISION,
    oracle=shorten_every_gradient,
    leaves_out="Rounding, and the master copy that sums of small gradients may need.",
    chain="""
    E_any = w_g*P - 2[byte]*P      -- the same gradients, stored in two bytes each
      = (w_g - 2[byte])*P          -- bytes saved a parameter, times parameters
    """,
)
