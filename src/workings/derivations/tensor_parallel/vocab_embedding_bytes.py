"""The embedding table split by the vocabulary: its rows are summed."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.derivations.tensor_parallel._vocabulary import some_tokens
from workings.simulate.vocabulary_split import look_up
from workings.units import BYTE


def look_up_on_every_rank(t: int, b_m: int, s: int, c: int, D: int, a: Fraction) -> Fraction | None:
    """Each rank looks up the tokens of its part of a table; what the sum of all sends is counted."""
    tokens = some_tokens(b_m, s, c, 11)
    return None if tokens is None else look_up(t, tokens, 11, D).sent * a


VOCAB_EMBEDDING_BYTES = derivation(
    "vocab-embedding-bytes",
    title="Bytes a rank sends for an embedding split by the vocabulary",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON,
    oracle=look_up_on_every_rank,
    convention="One micro-batch on the first stage; forward (backward nothing is sent). On the last "
    "stage the gradient of the logits' input is summed in the same way, backward. Under sequence "
    "parallelism each of the two sums is a reduce-scatter, half of this, and an all-gather of as many "
    "bytes runs in the other direction.",
    chain="""
    V_emb = V_AR                           -- only one rank has a token's row, the others have zeros
      = 2*(t - 1)/t*(a*b_m*s*D/c)          -- an all-reduce; the vocabulary does not appear
    """,
)
