"""The loss of logits that are split by the vocabulary."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.tensor_parallel._sources import MEGATRON_CORE_LOSS
from workings.derivations.tensor_parallel._vocabulary import LETTERS, some_logits, some_tokens
from workings.simulate.vocabulary_split import split_loss
from workings.units import BYTE


def reduce_largest_target_and_sum(
    t: int, b_m: int, s: int, c: int, V: int, w_l: Fraction
) -> Fraction | None:
    """The probability of each token from split logits, three values a token reduced over the ranks."""
    tokens = some_tokens(b_m, s, c, V)
    return None if tokens is None else split_loss(t, some_logits(tokens, V), tokens).sent * w_l


VOCAB_LOSS_BYTES = derivation(
    "vocab-loss-bytes",
    title="Bytes a rank sends for the loss of logits split by the vocabulary",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_one": RING_ALL_REDUCE.at(N="t", S="w_l*b_m*s/c")},
    given=("c divides s",),
    source=MEGATRON_CORE_LOSS,
    oracle=reduce_largest_target_and_sum,
    convention="One micro-batch on the last stage; forward (backward nothing is sent). Each reduced "
    "value takes as many bytes as a logit in the loss, 4 in Megatron-LM.",
    leaves_out="The sum of the gradient of the logits' input.",
    chain="""
    V_loss = V_one + V_one + V_one         -- largest logit, target's logit, sum of exponentials
      = 3*V_one                            -- one value a token each
      = 6*(t - 1)/t*(w_l*b_m*s/c)          -- three all-reduces; the vocabulary does not appear
    """,
)
