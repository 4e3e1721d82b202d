"""Parameters of multi-head latent attention."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import LATENT, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.mla_kv_parameters import MLA_KV_PARAMETERS
from workings.derivations.parameters.mla_query_parameters import MLA_QUERY_PARAMETERS
from workings.simulate.weights import count, latent_attention
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION


def list_latent_attention(**letters: int) -> int:
    """A list of every matrix and norm of latent attention, elements added up."""
    return count(latent_attention(described(**letters)))


MLA_PARAMETERS = derivation(
    "mla-parameters",
    title="Parameters of multi-head latent attention (MLA)",
    unit=ONE,
    noun="parameters",
    letters=LATENT,
    uses={"P_q": MLA_QUERY_PARAMETERS.at(), "P_kv": MLA_KV_PARAMETERS.at()},
    source=transformers("deepseek_v3", "DeepseekV3Attention"),
    oracle=list_latent_attention,
    convention="One block, without biases, as in DeepSeek-V2 and V3.",
    holds_for={LATENT_ATTENTION: "attention-parameters"},
    chain="""
    P_mla = P_q + P_kv + sum(d_v*D, (i, 1, H))
                                      -- queries, keys and values, and the output's rows of each head
      = P_q + P_kv + H*d_v*D          -- equal heads
    """,
)
