"""Active parameters of a mixture-of-experts transformer with MLA."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ACTIVE, LATENT_MOE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mixture_active_parameters import MIXTURE_ACTIVE_PARAMETERS
from workings.derivations.parameters.mla_parameters import MLA_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import choose, count, model
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def follow_one_token(**letters: int) -> int:
    """A token passes every block; each tensor it meets is listed and added up."""
    architecture = described(**letters)
    return count(model(architecture, choose(architecture)))


MLA_MOE_ACTIVE_PARAMETERS = derivation(
    "mla-moe-active-parameters",
    title="Active parameters of a mixture-of-experts transformer with MLA",
    unit=ONE,
    noun="parameters",
    letters={**LATENT_MOE, **ACTIVE},
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(),
        "P_mla": MLA_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "A_mix": MIXTURE_ACTIVE_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    given=("L_E <= L", "k_E <= E"),
    source=transformers("deepseek_v3", "DeepseekV3ForCausalLM"),
    oracle=follow_one_token,
    convention="Every tensor that a token's way through the model meets, whole embedding tables with "
    "it: 37.6 billion for DeepSeek-V3, whose 37B leave out the input's. `L_E` blocks have "
    "experts, the others one feed-forward of width `F`.",
    leaves_out="Multi-token prediction modules, counted by mtp-parameters.",
    holds_for={WITH_EXPERTS: "dense-parameters", LATENT_ATTENTION: "moe-active-parameters"},
    chain="""
    A_mla_moe = P_emb + sum(P_mla + n_n*P_norm, (i, 1, L)) + sum(P_ffn, (i, 1, L - L_E))
            + sum(A_mix, (i, 1, L_E)) + sum(P_norm, (i, 1, n_nf))
                      -- embeddings; attention and norms of all blocks; dense ones; those with experts
      = P_emb + L*(P_mla + n_n*P_norm) + (L - L_E)*P_ffn + L_E*A_mix + n_nf*P_norm
                      -- equal blocks
    """,
)
