"""Embedding tables, tied or not, and learned positions."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import EMBEDDING, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, embeddings
from workings.units import ONE


def list_the_rows(**letters: int) -> int:
    """A list of every table and of every learned position, elements added up."""
    return count(embeddings(described(**letters)))


EMBEDDING_PARAMETERS = derivation(
    "embedding-parameters",
    title="Embedding tables and learned positions",
    unit=ONE,
    noun="parameters",
    letters=EMBEDDING,
    source=transformers("gpt2", "GPT2Model: wte, wpe; GPT2LMHeadModel: lm_head"),
    oracle=list_the_rows,
    convention="`n_emb` is 1 where the output uses the input's table (tied), 2 where it has its own; "
    "rotary positions are not learned, `n_pos = 0`.",
    chain="""
    P_emb = sum(V*D, (i, 1, n_emb)) + sum(D, (i, 1, n_pos))   -- a row a token, a row a position
      = n_emb*V*D + n_pos*D                                   -- equal tables, equal rows
    """,
)
