"""Biases of attention."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ATTENTION, ATTENTION_BIAS, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import attention, count
from workings.units import ONE


def list_the_biases(**letters: int) -> int:
    """A list of attention's tensors; those named for a bias are added up."""
    return count(w for w in attention(described(**letters)) if w.name.endswith("bias"))


ATTENTION_BIAS_PARAMETERS = derivation(
    "attention-bias-parameters",
    title="Biases of attention",
    unit=ONE,
    noun="parameters",
    letters={**ATTENTION, **ATTENTION_BIAS},
    source=transformers("qwen2", "Qwen2Attention"),
    oracle=list_the_biases,
    convention="One block; `beta` is 1 where the model has that bias, else 0.",
    chain="""
    P_attn_b = beta_qkv*(sum(d_h, (i, 1, H)) + 2*sum(d_h, (i, 1, K))) + beta_o*D
                                              -- one value for each value that a matrix puts out
      = beta_qkv*(H + 2*K)*d_h + beta_o*D     -- equal heads
    """,
)
