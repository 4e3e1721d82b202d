"""What one block saves for its backward pass."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.simulate.tensors import saved_for_backward, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import D_FF, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS


def tape_of_one_block(B: int, D: int, F: int, a: Fraction) -> Fraction:
    """The tape of one block's forward pass, added up."""
    return total_bytes(saved_for_backward(1, D, F, B, a))


BLOCK_SAVED = derivation(
    "block-saved",
    title="Bytes one feed-forward block saves for its backward pass",
    unit=BYTE,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF, "a": ACTIVATION_WIDTH},
    source=SUBLINEAR,
    oracle=tape_of_one_block,
    leaves_out="Activation function, norm and attention: the block is two linear layers.",
    holds_for={WITHOUT_ATTENTION: "block-activations-llama"},
    chain="""
    e = a*B*D + a*B*F         -- the inputs of both linears
      = a*B*(D + F)           -- collect
    """,
)
