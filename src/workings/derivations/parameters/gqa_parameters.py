"""Grouped-query attention whose heads are together as wide as the model."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.attention_parameters import ATTENTION_PARAMETERS
from workings.simulate.weights import attention, count
from workings.units import ONE
from workings.vocabulary.kinds import HEADS_FILL
from workings.vocabulary.model import D_MODEL, HEADS, KV_HEADS


def list_the_groups(D: int, H: int, K: int) -> int:
    """A list of every head's matrices, heads cut from the model's width, elements added up."""
    return count(attention(described(D=D, H=H, K=K, d_h=D // H)))


GQA_PARAMETERS = derivation(
    "gqa-parameters",
    title="Parameters of grouped-query attention as wide as the model",
    unit=ONE,
    noun="parameters",
    letters={"D": D_MODEL, "H": HEADS, "K": KV_HEADS},
    uses={"P_attn": ATTENTION_PARAMETERS.at(d_h="D/H")},
    given=("H divides D", "K <= H"),
    source=transformers("llama", "LlamaAttention"),
    oracle=list_the_groups,
    convention="One block; heads of width `D/H`.",
    leaves_out="Biases.",
    holds_for={HEADS_FILL: "attention-parameters"},
    chain="""
    P_gqa = P_attn              -- with heads of width `D/H`
      = 2*D*(D/H)*(H + K)       -- attention's parameters
      = 2*D^2*(1 + K/H)         -- collect
      <= 4*D^2                  -- `K <= H`: at most as many as with a key and a value for each query
    """,
)
