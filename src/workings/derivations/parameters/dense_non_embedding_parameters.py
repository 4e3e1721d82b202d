"""Parameters of a dense transformer apart from its embeddings."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import DENSE, described
from workings.derivations.parameters.attention_bias_parameters import ATTENTION_BIAS_PARAMETERS
from workings.derivations.parameters.attention_parameters import ATTENTION_PARAMETERS
from workings.derivations.parameters.block_norm_parameters import BLOCK_NORM_PARAMETERS
from workings.derivations.parameters.dense_parameters import DENSE_PARAMETERS
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.derivations.sources import KAPLAN
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS


def list_all_but_the_tables(**letters: int) -> int:
    """A list of every weight tensor; tables and positions are left out."""
    tables = ("token table", "position ")
    return count(w for w in model(described(**letters)) if not w.name.startswith(tables))


DENSE_NON_EMBEDDING_PARAMETERS = derivation(
    "dense-non-embedding-parameters",
    title="Non-embedding parameters of a dense transformer",
    unit=ONE,
    noun="parameters",
    letters=DENSE,
    uses={
        "P_dense": DENSE_PARAMETERS.at(),
        "P_emb": EMBEDDING_PARAMETERS.at(),
        "P_attn": ATTENTION_PARAMETERS.at(),
        "P_attn_b": ATTENTION_BIAS_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "P_norms": BLOCK_NORM_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    source=KAPLAN,
    oracle=list_all_but_the_tables,
    convention="Both tables and learned positions left out, as in scaling laws and model cards.",
    holds_for={WITH_ATTENTION: "ffn-parameters", WITHOUT_EXPERTS: "moe-non-embedding-parameters"},
    chain="""
    N_dense = P_dense - P_emb                                         -- the model without its tables
      = L*(P_attn + P_attn_b + P_ffn + P_norms) + n_nf*P_norm         -- the dense total put in
    """,
)
