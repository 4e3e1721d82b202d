"""Parameters by the practice problem: two tables and 12·L·D²."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import ONLEARN_4D
from workings.derivations.parameters.embedding_parameters import EMBEDDING_PARAMETERS
from workings.derivations.parameters.ffn_block_parameters import FFN_BLOCK_PARAMETERS
from workings.derivations.parameters.mha_parameters import MHA_PARAMETERS
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import GPT_SHAPED, TWO_TABLES
from workings.vocabulary.model import BLOCKS, D_MODEL, VOCAB


def list_matrices_and_tables(V: int, L: int, D: int) -> int:
    """A list of both tables and of every matrix, without norms and biases, elements added up."""
    bare = {"n_n": 0, "n_nf": 0}
    return count(model(described(V=V, L=L, D=D, n_emb=2, d_h=D, F=D + D + D + D, **bare)))


UNTIED_TWELVE_PARAMETERS = derivation(
    "untied-twelve-parameters",
    title="Parameters from two tables and 12·L·D²",
    unit=ONE,
    noun="parameters",
    letters={"V": VOCAB, "L": BLOCKS, "D": D_MODEL},
    uses={
        "P_emb": EMBEDDING_PARAMETERS.at(n_emb="2", n_pos="0"),
        "P_mha": MHA_PARAMETERS.at(H="1"),
        "P_ffn": FFN_BLOCK_PARAMETERS.at(F="4*D", n_f="2", beta_f="0"),
    },
    source=ONLEARN_4D,
    oracle=list_matrices_and_tables,
    convention="Two tables, multi-head attention (however many heads), a plain feed-forward of `4*D`.",
    leaves_out="Norms, biases and learned positions.",
    holds_for={GPT_SHAPED: "dense-parameters", TWO_TABLES: "dense-parameters"},
    chain="""
    P_12 = P_emb + sum(P_mha + P_ffn, (i, 1, L))    -- both tables, and every block's matrices
      = 2*V*D + L*(4*D^2 + 2*D*(4*D))               -- sizes put in
      = 2*V*D + 12*L*D^2                            -- collect
    """,
)
