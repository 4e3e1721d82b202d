"""Parameters of a dense transformer."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import DENSE, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.attention_bias_parameters import ATTENTION_BIAS_PARAMETERS
from workings.derivations.parameters.attention_parameters import ATTENTION_PARAMETERS
from workings.derivations.parameters.block_norm_parameters import BLOCK_NORM_PARAMETERS
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS


def list_every_tensor(**letters: int) -> int:
    """A list of every weight tensor of the model with its shape, elements added up."""
    return count(model(described(**letters)))


DENSE_PARAMETERS = derivation(
    "dense-parameters",
    title="Parameters of a dense transformer",
    unit=ONE,
    noun="parameters",
    letters=DENSE,
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(),
        "P_attn": ATTENTION_PARAMETERS.at(),
        "P_attn_b": ATTENTION_BIAS_PARAMETERS.at(),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(),
        "P_norms": BLOCK_NORM_PARAMETERS.at(),
        "P_norm": NORM_PARAMETERS.at(),
    },
    source=transformers("llama", "LlamaForCausalLM"),
    oracle=list_every_tensor,
    convention="Embedding tables counted, the output's too where it is not tied.",
    holds_for={WITH_ATTENTION: "ffn-parameters", WITHOUT_EXPERTS: "moe-parameters"},
    chain="""
    P_dense = P_emb + sum(P_attn + P_attn_b + P_ffn + P_norms, (i, 1, L)) + sum(P_norm, (i, 1, n_nf))
                                           -- embeddings, every block, the norm after the last block
      = P_emb + L*(P_attn + P_attn_b + P_ffn + P_norms) + n_nf*P_norm       -- `L` equal blocks
    """,
)
