"""Activations of a linear net."""

from fractions import Fraction
from math import prod

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.simulate.block_tape import Active, Tape
from workings.units import ONE
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import TOKENS


def tape_every_layer(L: int, D: int, B: int) -> int:
    """A tape of the forward pass, layer by layer; the values of the tensors it keeps."""
    tape, x = Tape(), Active("X", (B, D), Fraction(1))
    for layer in range(L):
        x = tape.linear(x, D, f"layer {layer}")
    return sum(prod(tensor.shape) for tensor in tape.saved)


LINEAR_NET_ACTIVATIONS = derivation(
    "linear-net-activations",
    title="Values a linear net saves",
    unit=ONE,
    noun="values",
    letters={"L": BLOCKS, "D": D_MODEL, "B": TOKENS},
    source=SUBLINEAR,
    oracle=tape_every_layer,
    convention="`L` square matrices of `D` by `D` one after the other, `B` columns of input; each "
    "matrix needs its input for the gradient of its weights, the output is not kept.",
    chain="""
    A_net = sum(D*B, (i, 1, L))        -- each layer keeps its input
      = L*D*B                          -- few beside `L*D^2` weights while `B` is small beside `D`
    """,
)
