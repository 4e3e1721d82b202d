"""Multi-query attention: one key and value head for all queries."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.gqa_parameters import GQA_PARAMETERS
from workings.simulate.weights import attention, count
from workings.units import ONE
from workings.vocabulary.kinds import HEADS_FILL, MULTI_QUERY
from workings.vocabulary.model import D_MODEL, HEADS


def list_one_group(D: int, H: int) -> int:
    """A list of every head's query and output and of the one key and value, elements added up."""
    return count(attention(described(D=D, H=H, K=1, d_h=D // H)))


MQA_PARAMETERS = derivation(
    "mqa-parameters",
    title="Parameters of multi-query attention",
    unit=ONE,
    noun="parameters",
    letters={"D": D_MODEL, "H": HEADS},
    uses={"P_gqa": GQA_PARAMETERS.at(K="1")},
    given=("H divides D",),
    source=transformers("llama", "LlamaAttention with num_key_value_heads = 1"),
    oracle=list_one_group,
    convention="One block; heads of width `D/H`, all with the same key and value.",
    leaves_out="Biases.",
    holds_for={MULTI_QUERY: "attention-parameters", HEADS_FILL: "attention-parameters"},
    chain="""
    P_mqa = P_gqa               -- with `K = 1`
      = 2*D^2*(1 + 1/H)         -- grouped-query attention's parameters
      ≈ [H -> oo] 2*D^2         -- queries and output only: half of multi-head attention
    """,
)
