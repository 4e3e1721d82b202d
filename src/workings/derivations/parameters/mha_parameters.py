"""Multi-head attention: as many key and value heads as query heads."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters.gqa_parameters import GQA_PARAMETERS
from workings.derivations.sources import KAPLAN
from workings.simulate.weights import attention, count
from workings.units import ONE
from workings.vocabulary.kinds import HEADS_FILL, MULTI_HEAD
from workings.vocabulary.model import D_MODEL, HEADS


def list_every_head(D: int, H: int) -> int:
    """A list of every head's query, key, value and output matrix, elements added up."""
    return count(attention(described(D=D, H=H, K=H, d_h=D // H)))


MHA_PARAMETERS = derivation(
    "mha-parameters",
    title="Parameters of multi-head attention",
    unit=ONE,
    noun="parameters",
    letters={"D": D_MODEL, "H": HEADS},
    uses={"P_gqa": GQA_PARAMETERS.at(K="H")},
    given=("H divides D",),
    source=KAPLAN,
    oracle=list_every_head,
    convention="One block; heads of width `D/H`, each with a key and a value of its own.",
    leaves_out="Biases.",
    holds_for={MULTI_HEAD: "attention-parameters", HEADS_FILL: "attention-parameters"},
    chain="""
    P_mha = P_gqa               -- with `K = H`
      = 2*D^2*(1 + H/H)         -- grouped-query attention's parameters
      = 4*D^2                   -- four square matrices, however many heads
    """,
)
