"""Bytes of a file of weights."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.scale._sources import SCALING_BOOK_LLAMA
from workings.units import BYTE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import GATHER_WIDTH


def write_every_weight(P: int, w: Fraction) -> Fraction:
    """The file written weight by weight."""
    file = Fraction(0)
    for _ in range(P):
        file += w
    return file


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
