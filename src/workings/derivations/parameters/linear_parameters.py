"""Parameters of the lecture's linear network."""

from workings.derivation import derivation
from workings.derivations.parameters._sources import lecture_8
from workings.simulate.weights import count, linear
from workings.units import ONE
from workings.vocabulary.model import BLOCKS, D_MODEL


def list_the_layers(L: int, D: int) -> int:
    """A list of every layer's matrix with its shape, elements added up."""
    return sum(count(linear(f"layer {layer}", D, D)) for layer in range(L))


LINEAR_PARAMETERS = derivation(
    "linear-parameters",
    title="Parameters of a linear network",
    unit=ONE,
    noun="parameters",
    letters={"L": BLOCKS, "D": D_MODEL},
    source=lecture_8("the linear network"),
    oracle=list_the_layers,
    convention="Square matrices without biases; the width is the same in every layer.",
    chain="""
    P_lin = sum(D*D, (i, 1, L))    -- one square matrix a layer
      = L*D^2                      -- `L` equal layers
    """,
)
