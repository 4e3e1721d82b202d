"""Parameters of a mixture-of-experts transformer with MLA."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import LATENT_MOE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mixture_parameters import MIXTURE_PARAMETERS
from workings.derivations.parameters.mla_parameters import MLA_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def list_every_tensor(**letters: int) -> int:
    """A list of every weight tensor of the model with its shape, elements added up."""
    return count(model(described(**letters)))


MLA_MOE_PARAMETERS = derivation(
    "mla-moe-parameters",
    title="Parameters of a mixture-of-experts transformer with MLA",
    unit=ONE,
    noun="parameters",
    letters=LATENT_MOE,
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(),
        "P_mla": MLA_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "P_mix": MIXTURE_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    given=("L_E <= L",),
    source=transformers("deepseek_v3", "DeepseekV3ForCausalLM"),
    oracle=list_every_tensor,
    convention="Embedding tables counted, the output's too where it is not tied. `L_E` blocks have "
    "experts, the others one feed-forward of width `F`.",
    leaves_out="Multi-token prediction modules, counted by mtp-parameters.",
    holds_for={WITH_EXPERTS: "dense-parameters", LATENT_ATTENTION: "moe-parameters"},
    chain="""
    P_mla_moe = P_emb + sum(P_mla + n_n*P_norm, (i, 1, L)) + sum(P_ffn, (i, 1, L - L_E))
            + sum(P_mix, (i, 1, L_E)) + sum(P_norm, (i, 1, n_nf))
                      -- embeddings; attention and norms of all blocks; dense ones; those with experts
      = P_emb + L*(P_mla + n_n*P_norm) + (L - L_E)*P_ffn + L_E*P_mix + n_nf*P_norm
                      -- equal blocks
    """,
)
