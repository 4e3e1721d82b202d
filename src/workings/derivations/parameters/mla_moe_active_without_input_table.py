"""Active parameters apart from the table that turns tokens into vectors."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import ACTIVE, LATENT_MOE, described
from workings.derivations.parameters._sources import DEEPSEEK_WEIGHTS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mixture_active_parameters import MIXTURE_ACTIVE_PARAMETERS
from workings.derivations.parameters.mla_moe_active_parameters import MLA_MOE_ACTIVE_PARAMETERS
from workings.derivations.parameters.mla_parameters import MLA_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import choose, count, model
from workings.units import ONE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS


def follow_one_token_past_the_lookup(**letters: int) -> int:
    """A token passes every block; each tensor it meets is added up, but for the first table."""
    architecture = described(**letters)
    met = model(architecture, choose(architecture))
    return count(w for w in met if w.name != "token table 0")


MLA_MOE_ACTIVE_WITHOUT_INPUT_TABLE = derivation(
    "mla-moe-active-without-input-table",
    title="Active parameters without the input table (MLA)",
    unit=ONE,
    noun="parameters",
    letters={**LATENT_MOE, **ACTIVE},
    uses={
        "A_mix": MIXTURE_ACTIVE_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
        "A_mla_moe": MLA_MOE_ACTIVE_PARAMETERS.at(),
        "P_mla": MLA_PARAMETERS.at(),
    },
    given=("L_E <= L", "k_E <= E", "n_emb >= 2"),
    source=DEEPSEEK_WEIGHTS,
    oracle=follow_one_token_past_the_lookup,
    convention="A token reads one row of the input's table and multiplies nothing with it; the "
    "output's table is counted, as every row of it is multiplied. DeepSeek-V3's 37B are "
    "counted so: 36.6 billion. Its weight documentation says 36.7 with both tables; with "
    "both it is 37.6.",
    holds_for={WITH_EXPERTS: "", LATENT_ATTENTION: "moe-active-without-input-table"},
    chain="""
    A_mla_moe_in = A_mla_moe - V*D      -- all active parameters but the input's table
      = (n_emb - 1)*V*D + n_pos*D + L*(P_mla + n_n*P_norm) + (L - L_E)*P_ffn + L_E*A_mix
        + n_nf*P_norm              -- all active parameters put in
    """,
)
