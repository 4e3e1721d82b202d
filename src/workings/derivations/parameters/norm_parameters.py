"""Parameters of one norm."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import NORM
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, norm
from workings.units import ONE


def list_one_norm(D: int, beta_n: int) -> int:
    """A list of the norm's scale and shift, elements added up."""
    return count(norm("norm", D, beta_n))


NORM_PARAMETERS = derivation(
    "norm-parameters",
    title="Parameters of a norm",
    unit=ONE,
    noun="parameters",
    letters=NORM,
    source=transformers("llama", "LlamaRMSNorm; gpt2 has torch.nn.LayerNorm"),
    oracle=list_one_norm,
    convention="RMSNorm has a scale only, `beta_n = 0`; LayerNorm has a shift too, `beta_n = 1`.",
    chain="""
    P_norm = D + beta_n*D       -- a scale for each value, and perhaps a shift
      = (1 + beta_n)*D          -- collect
    """,
)
