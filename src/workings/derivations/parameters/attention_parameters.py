"""Parameters of attention with grouped key and value heads."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ATTENTION, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import attention, count
from workings.units import ONE
from workings.vocabulary.kinds import WITHOUT_LATENT


def list_the_heads(D: int, H: int, K: int, d_h: int) -> int:
    """A list of every head's matrices with their shapes, elements added up."""
    return count(attention(described(D=D, H=H, K=K, d_h=d_h)))


ATTENTION_PARAMETERS = derivation(
    "attention-parameters",
    title="Parameters of attention with grouped key and value heads",
    unit=ONE,
    noun="parameters",
    letters=ATTENTION,
    source=transformers("llama", "LlamaAttention"),
    oracle=list_the_heads,
    convention="One block. `K = H` is multi-head attention, `K = 1` multi-query attention.",
    leaves_out="Biases, and norms of queries and keys: they are counted apart.",
    holds_for={WITHOUT_LATENT: "mla-parameters"},
    chain="""
    P_attn = sum(D*d_h, (i, 1, H)) + 2*sum(D*d_h, (i, 1, K)) + sum(d_h*D, (i, 1, H))
                                       -- queries; keys and values; rows of the output, head by head
      = H*D*d_h + 2*K*D*d_h + H*d_h*D  -- equal heads
      = 2*D*d_h*(H + K)                -- collect
    """,
)
