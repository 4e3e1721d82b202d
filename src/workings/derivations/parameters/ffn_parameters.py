"""Parameters of a stack of two-linear blocks."""

from workings.derivation import derivation
from workings.derivations.sources import KAPLAN
from workings.simulate.tensors import ffn_weights, total_elements
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL


def list_the_matrices(L: int, D: int, F: int) -> int:
    """A list of every weight matrix of every block with its shape, elements added up."""
    return total_elements(ffn_weights(L, D, F, 1))


FFN_PARAMETERS = derivation(
    "ffn-parameters",
    title="Parameters of a feed-forward stack",
    unit=ONE,
    noun="parameters",
    letters={"L": BLOCKS, "D": D_MODEL, "F": D_FF},
    source=KAPLAN,
    oracle=list_the_matrices,
    convention="Two matrices a block, no biases, norms, attention or embeddings.",
    holds_for={WITHOUT_ATTENTION: "dense-parameters"},
    chain="""
    P = sum(D*F + F*D, (i, 1, L))  -- up from `D` to `F` and down again, in every block
      = L*(D*F + F*D)              -- `L` equal blocks
      = 2*L*D*F                    -- both matrices are the same size
    """,
)
