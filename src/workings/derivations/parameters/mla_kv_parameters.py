"""Parameters of the keys and values of multi-head latent attention."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import LATENT_KV, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, latent_key_value
from workings.units import ONE


def list_keys_and_values(**letters: int) -> int:
    """A list of the matrices that compress and rebuild keys and values, elements added up."""
    return count(latent_key_value(described(**letters)))


MLA_KV_PARAMETERS = derivation(
    "mla-kv-parameters",
    title="Parameters of the keys and values of multi-head latent attention",
    unit=ONE,
    noun="parameters",
    letters=LATENT_KV,
    source=transformers("deepseek_v3", "DeepseekV3Attention: kv_a_proj_with_mqa, kv_b_proj"),
    oracle=list_keys_and_values,
    convention="One block.",
    chain="""
    P_kv = D*r_kv + D*d_r + r_kv + sum(r_kv*(d_n + d_v), (i, 1, H))
              -- down to `r_kv`, one rotary key for all heads, the norm, up to each head's key and value
      = D*(r_kv + d_r) + r_kv*(1 + H*(d_n + d_v))   -- equal heads
    """,
)
