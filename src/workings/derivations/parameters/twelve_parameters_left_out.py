"""What 12·L·D² leaves out of any model's parameters."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.parameters._sources import MEGATRON_SIZE
from workings.simulate.weights import Weight, count
from workings.units import ONE
from workings.vocabulary.kinds import ANY_MODEL
from workings.vocabulary.model import BLOCKS, D_MODEL, PARAMETERS


def take_twelve_squares_a_block(P_m: int, L: int, D: int) -> Fraction:
    """Twelve square matrices of each block listed and taken from the parameters there are."""
    squares = [Weight("square", (D, D)) for _ in range(L) for _ in range(4 + 4 + 4)]
    return Fraction(P_m - count(squares), P_m)


TWELVE_PARAMETERS_LEFT_OUT = derivation(
    "twelve-parameters-left-out",
    title="Share of a model's parameters that 12·L·D² leaves out, any model",
    unit=ONE,
    letters={"P_m": PARAMETERS, "L": BLOCKS, "D": D_MODEL},
    source=MEGATRON_SIZE,
    oracle=take_twelve_squares_a_block,
    convention="Whatever the rest is: tables, biases and norms, a wider feed-forward, experts. Where "
    "key and value heads are fewer than query heads, part of it makes up for what they save; below 0 "
    "the rule counts more than there is.",
    holds_for={ANY_MODEL: ""},
    chain="""
    e_rest = (P_m - 12*L*D^2)/P_m    -- what twelve squares a block are not
      = 1 - 12*L*D^2/P_m             -- cancel
    """,
)
