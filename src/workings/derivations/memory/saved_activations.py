"""What the backward pass needs from the forward pass."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.tensors import saved_for_backward, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS


def record_the_tape(L: int, D: int, F: int, B: int, a: Fraction) -> Fraction:
    """A tape records, for each product Y = XW of the forward pass, the input its gradient needs."""
    return total_bytes(saved_for_backward(L, D, F, B, a))


SAVED_ACTIVATIONS = derivation(
    "saved-activations",
    title="Activations that a feed-forward stack saves for the backward pass",
    unit=BYTE,
    letters={"L": BLOCKS, "D": D_MODEL, "F": D_FF, "B": TOKENS, "a": ACTIVATION_WIDTH},
    source=SCALING_BOOK_FLOPS,
    oracle=record_the_tape,
    convention="The gradient of Y = XW with respect to W needs X, so each linear saves its input.",
    leaves_out="Activation functions, norms and attention, which this model does not have.",
    ledger=(
        Row("input of the first linear", "a*B*D*L", "`D` values a token in each block"),
        Row("input of the second linear", "a*B*F*L", "`F` values a token in each block"),
    ),
    holds_for={WITHOUT_ATTENTION: "blocks-activations"},
    chain="""
    A = rows                 -- add the rows
      = a*B*L*(D + F)        -- bytes a value, tokens, blocks, values a token and block
    """,
)
