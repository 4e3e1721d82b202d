"""Active parameters apart from the table that turns tokens into vectors."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ACTIVE, MOE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.attention_bias_parameters import ATTENTION_BIAS_PARAMETERS
from workings.derivations.parameters.attention_parameters import ATTENTION_PARAMETERS
from workings.derivations.parameters.block_norm_parameters import BLOCK_NORM_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mixture_active_parameters import MIXTURE_ACTIVE_PARAMETERS
from workings.derivations.parameters.moe_active_parameters import MOE_ACTIVE_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import choose, count, model
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def follow_one_token_past_the_lookup(**letters: int) -> int:
    """A token passes every block; each tensor it meets is added up, but for the first table."""
    architecture = described(**letters)
    met = model(architecture, choose(architecture))
    return count(w for w in met if w.name != "token table 0")


MOE_ACTIVE_WITHOUT_INPUT_TABLE = derivation(
    "moe-active-without-input-table",
    title="Active parameters without the input table",
    unit=ONE,
    noun="parameters",
    letters={**MOE, **ACTIVE},
    uses={
        "A_mix": MIXTURE_ACTIVE_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
        "A_moe": MOE_ACTIVE_PARAMETERS.at(),
        "P_attn": ATTENTION_PARAMETERS.at(),
        "P_attn_b": ATTENTION_BIAS_PARAMETERS.at(),
        "P_norms": BLOCK_NORM_PARAMETERS.at(),
    },
    given=("L_E <= L", "k_E <= E", "n_emb >= 2"),
    source=transformers("mixtral", "MixtralForCausalLM"),
    oracle=follow_one_token_past_the_lookup,
    convention="A token reads one row of the input's table and multiplies nothing with it; the "
    "output's table is counted, as every row of it is multiplied.",
    holds_for={WITH_EXPERTS: "", WITHOUT_LATENT: "mla-moe-active-without-input-table"},
    chain="""
    A_moe_in = A_moe - V*D      -- all active parameters but the input's table
      = (n_emb - 1)*V*D + n_pos*D + L*(P_attn + P_attn_b + P_norms) + (L - L_E)*P_ffn + L_E*A_mix
        + n_nf*P_norm              -- all active parameters put in
    """,
)
