"""Parameters of a mixture-of-experts transformer."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import MOE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.attention_bias_parameters import ATTENTION_BIAS_PARAMETERS
from workings.derivations.parameters.attention_parameters import ATTENTION_PARAMETERS
from workings.derivations.parameters.block_norm_parameters import BLOCK_NORM_PARAMETERS
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mixture_parameters import MIXTURE_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def list_every_tensor(**letters: int) -> int:
    """A list of every weight tensor of the model with its shape, elements added up."""
    return count(model(described(**letters)))


MOE_PARAMETERS = derivation(
    "moe-parameters",
    title="Parameters of a mixture-of-experts transformer",
    unit=ONE,
    noun="parameters",
    letters=MOE,
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(),
        "P_attn": ATTENTION_PARAMETERS.at(),
        "P_attn_b": ATTENTION_BIAS_PARAMETERS.at(),
        "P_norms": BLOCK_NORM_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "P_mix": MIXTURE_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    given=("L_E <= L",),
    source=transformers("mixtral", "MixtralForCausalLM"),
    oracle=list_every_tensor,
    convention="Embedding tables counted, the output's too where it is not tied. `L_E` blocks have "
    "experts, the others one feed-forward of width `F`.",
    holds_for={WITH_EXPERTS: "dense-parameters", WITHOUT_LATENT: "mla-moe-parameters"},
    chain="""
    P_moe = P_emb + sum(P_attn + P_attn_b + P_norms, (i, 1, L)) + sum(P_ffn, (i, 1, L - L_E))
            + sum(P_mix, (i, 1, L_E)) + sum(P_norm, (i, 1, n_nf))
                      -- embeddings; attention and norms of all blocks; dense ones; those with experts
      = P_emb + L*(P_attn + P_attn_b + P_norms) + (L - L_E)*P_ffn + L_E*P_mix + n_nf*P_norm
                      -- equal blocks
    """,
)
