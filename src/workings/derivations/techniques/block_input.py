"""What a checkpoint keeps of a segment."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.simulate.tensors import saved_for_backward
from workings.units import BYTE
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS


def first_tensor_on_the_tape(B: int, D: int, a: Fraction) -> Fraction:
    """The first tensor that a block's tape records: its input."""
    return saved_for_backward(1, D, 1, B, a)[0].bytes


BLOCK_INPUT = derivation(
    "block-input",
    title="Bytes of a block's input",
    unit=BYTE,
    letters={"B": TOKENS, "D": D_MODEL, "a": ACTIVATION_WIDTH},
    source=SUBLINEAR,
    oracle=first_tensor_on_the_tape,
    convention="The block of the feed-forward model: its input is all that a checkpoint keeps.",
    chain="""
    c = a*B*D                 -- bytes a value, tokens, values a token
    """,
)
