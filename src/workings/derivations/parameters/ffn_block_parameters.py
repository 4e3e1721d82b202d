"""Parameters of one feed-forward, plain or gated."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import FEED_FORWARD
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, feed_forward
from workings.units import ONE
from workings.vocabulary.kinds import DENSE_BLOCKS


def list_the_feed_forward(D: int, F: int, n_f: int, beta_f: int) -> int:
    """A list of the matrices that go up, the one that goes down and their biases, added up."""
    return count(feed_forward("ffn", D, F, n_f, beta_f))


FFN_BLOCK_PARAMETERS = derivation(
    "ffn-block-parameters",
    title="Parameters of one feed-forward",
    unit=ONE,
    noun="parameters",
    letters=FEED_FORWARD,
    source=transformers("llama", "LlamaMLP"),
    oracle=list_the_feed_forward,
    convention="`n_f` is 2 for a plain feed-forward, 3 for a gated one (SwiGLU, GeGLU).",
    holds_for={DENSE_BLOCKS: "mixture-parameters"},
    chain="""
    P_ffn = sum(D*F + beta_f*F, (i, 1, n_f - 1)) + F*D + beta_f*D
                                               -- all matrices but one go up, from `D` to `F`
      = n_f*D*F + beta_f*((n_f - 1)*F + D)     -- equal matrices
    """,
)
