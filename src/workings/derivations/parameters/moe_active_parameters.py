"""Active parameters of a mixture-of-experts transformer."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ACTIVE, MOE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.attention_bias_parameters import ATTENTION_BIAS_PARAMETERS
from workings.derivations.parameters.attention_parameters import ATTENTION_PARAMETERS
from workings.derivations.parameters.block_norm_parameters import BLOCK_NORM_PARAMETERS
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mixture_active_parameters import MIXTURE_ACTIVE_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import choose, count, model
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def follow_one_token(**letters: int) -> int:
    """A token passes every block; each tensor it meets is listed and added up."""
    architecture = described(**letters)
    return count(model(architecture, choose(architecture)))


MOE_ACTIVE_PARAMETERS = derivation(
    "moe-active-parameters",
    title="Active parameters of a mixture-of-experts transformer",
    unit=ONE,
    noun="parameters",
    letters={**MOE, **ACTIVE},
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(),
        "P_attn": ATTENTION_PARAMETERS.at(),
        "P_attn_b": ATTENTION_BIAS_PARAMETERS.at(),
        "P_norms": BLOCK_NORM_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "A_mix": MIXTURE_ACTIVE_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    given=("L_E <= L", "k_E <= E"),
    source=transformers("mixtral", "MixtralForCausalLM"),
    oracle=follow_one_token,
    convention="Every tensor that a token's way through the model meets, whole embedding tables with "
    "it, as in Mixtral's 12.9B and Qwen3's 3.3B. `L_E` blocks have experts, the others "
    "one feed-forward of width `F`.",
    holds_for={WITH_EXPERTS: "dense-parameters", WITHOUT_LATENT: "mla-moe-active-parameters"},
    chain="""
    A_moe = P_emb + sum(P_attn + P_attn_b + P_norms, (i, 1, L)) + sum(P_ffn, (i, 1, L - L_E))
            + sum(A_mix, (i, 1, L_E)) + sum(P_norm, (i, 1, n_nf))
                      -- embeddings; attention and norms of all blocks; dense ones; those with experts
      = P_emb + L*(P_attn + P_attn_b + P_norms) + (L - L_E)*P_ffn + L_E*A_mix + n_nf*P_norm
                      -- equal blocks
    """,
)
