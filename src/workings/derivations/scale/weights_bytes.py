"""Bytes of a file of weights."""

from fractions import Fraction
from io import BytesIO

from workings.derivation import derivation
from workings.derivations.scale._sources import SCALING_BOOK_LLAMA
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import GATHER_WIDTH


def write_every_weight(P: int, w: Fraction) -> Fraction:
    """A file really written weight by weight, in pieces of a byte where `w` is no whole number."""
    file, pieces = BytesIO(), w.denominator
    for weight in range(P):
        file.write(bytes(weight % 256 for _ in range(int(w * pieces))))
    return Fraction(file.tell(), pieces)


WEIGHTS_BYTES = derivation(
    "weights-bytes",
    title="Bytes of the weights alone",
    unit=BYTE,
    letters={"P": PARAMETERS, "w": GATHER_WIDTH},
    source=SCALING_BOOK_LLAMA,
    oracle=write_every_weight,
    convention="Enough to use the model, not to go on training it.",
    chain="""
    S_w = sum(w, (i, 1, P))                  -- weight after weight
      = w*P                                  -- 2 bytes a parameter in BF16
    """,
)
