"""Norms of one block."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import BLOCK_NORMS, described
from workings.derivations.parameters._sources import transformers
from workings.derivations.parameters.norm_parameters import NORM_PARAMETERS
from workings.simulate.weights import block_norms, count
from workings.units import ONE


def list_the_norms(**letters: int) -> int:
    """A list of every norm of a block, elements added up."""
    return count(block_norms(described(**letters)))


BLOCK_NORM_PARAMETERS = derivation(
    "block-norm-parameters",
    title="Norms of a block",
    unit=ONE,
    noun="parameters",
    letters=BLOCK_NORMS,
    uses={"P_norm": NORM_PARAMETERS.at(), "P_norm_h": NORM_PARAMETERS.at(D="d_h")},
    source=transformers("qwen3", "Qwen3DecoderLayer and Qwen3Attention: q_norm, k_norm"),
    oracle=list_the_norms,
    convention="2 norms of the model's width before attention and feed-forward, 4 in Gemma 2, none "
    "with parameters in OLMo; 2 norms of a head's width (for queries, for keys) in Qwen3, "
    "shared by its heads.",
    chain="""
    P_norms = sum(P_norm, (i, 1, n_n)) + sum(P_norm_h, (i, 1, n_qk))
                                        -- norms of the model's width, and of a head's width
      = n_n*P_norm + n_qk*P_norm_h      -- equal norms
      = (1 + beta_n)*(n_n*D + n_qk*d_h) -- a norm's parameters
    """,
)
