"""One ledger of a mesh device's activations, read with and without sequence parallelism."""

from fractions import Fraction

from workings.chain import Row
from workings.simulate.tensors import saved_for_backward
from workings.vocabulary.layout import MESH_X, MESH_Y
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS

ROWS = (
    Row("input of the first linear", "a*B*D*L", "whole on each of the `Y` ranks", "X",
        when=(("sequence_parallel", False),)),
    Row("input of the first linear", "a*B*D*L", "each of the `Y` ranks keeps its tokens", "(X*Y)",
        when=(("sequence_parallel", True),)),
    Row("input of the second linear", "a*B*F*L", "each of the `Y` ranks has its columns", "(X*Y)"),
)  # fmt: skip
LETTERS = {
    "L": BLOCKS, "D": D_MODEL, "F": D_FF, "B": TOKENS, "a": ACTIVATION_WIDTH,
    "X": MESH_X, "Y": MESH_Y,
}  # fmt: skip


def one_device(
    L: int, D: int, F: int, B: int, a: Fraction, X: int, Y: int, *, sequence_parallel: bool
) -> Fraction:
    """The tape's tensors dealt out to the devices one by one, one device's bytes added up."""
    device = Fraction(0)
    for tensor in saved_for_backward(L, D, F, B, a):
        hidden = tensor.name.endswith("w_in.output")
        copies = 1 if hidden or sequence_parallel else Y
        device += tensor.bytes * copies / (X * Y)
    return device
