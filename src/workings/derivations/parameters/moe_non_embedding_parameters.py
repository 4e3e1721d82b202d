"""Parameters of a mixture-of-experts transformer apart from its embeddings."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import MOE, described
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.moe_parameters import MOE_PARAMETERS
from workings.derivations.sources import KAPLAN
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import WITH_EXPERTS, WITHOUT_LATENT


def list_blocks_and_last_norm(**letters: int) -> int:
    """A list of every weight tensor of the mixture; tables and positions are left out."""
    tables = ("token table", "position ")
    return count(w for w in model(described(**letters)) if not w.name.startswith(tables))


MOE_NON_EMBEDDING_PARAMETERS = derivation(
    "moe-non-embedding-parameters",
    title="Non-embedding parameters of a mixture-of-experts transformer",
    unit=ONE,
    noun="parameters",
    letters=MOE,
    uses={"P_moe": MOE_PARAMETERS.at(), "P_emb": EMBEDDING_PARAMETERS.at()},
    given=("L_E <= L",),
    source=KAPLAN,
    oracle=list_blocks_and_last_norm,
    convention="Both tables and learned positions left out, as in scaling laws and model cards; all "
    "experts counted.",
    holds_for={WITH_EXPERTS: "dense-non-embedding-parameters", WITHOUT_LATENT: ""},
    chain="""
    N_moe = P_moe - P_emb            -- the model without its tables
    """,
)
