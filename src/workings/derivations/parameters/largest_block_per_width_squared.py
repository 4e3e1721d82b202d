"""A model's largest block against D²."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters._sources import LLAMA_CODE
from workings.units import ONE
from workings.vocabulary.kinds import ANY_MODEL
from workings.vocabulary.model import D_MODEL, LARGEST_BLOCK


def fill_squares(P_B: int, D: int) -> Fraction:
    """Whole squares taken out of the block's parameters row by row, and what is left of the last."""
    squares, left = 0, P_B
    while left >= D * D:
        squares, left = squares + 1, left - sum(D for _ in range(D))
    return squares + Fraction(left, D * D)


LARGEST_BLOCK_PER_WIDTH_SQUARED = derivation(
    "largest-block-per-width-squared",
    title="Parameters of a model's largest block in units of D², any model",
    unit=ONE,
    letters={"P_B": LARGEST_BLOCK, "D": D_MODEL},
    source=LLAMA_CODE,
    oracle=fill_squares,
    convention="Norms and biases counted, and all experts of a block that has them.",
    holds_for={ANY_MODEL: ""},
    chain="""
    c_B = P_B/D^2      -- the block, in squares of the width
    """,
)
