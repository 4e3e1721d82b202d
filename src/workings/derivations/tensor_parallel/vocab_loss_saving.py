"""What is saved by reducing three values a token instead of gathering its logits."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.derivations.tensor_parallel._vocabulary import LETTERS, some_logits, some_tokens
from workings.derivations.tensor_parallel.vocab_gather_bytes import VOCAB_GATHER_BYTES
from workings.derivations.tensor_parallel.vocab_loss_bytes import VOCAB_LOSS_BYTES
from workings.simulate.vocabulary_split import gather_logits, split_loss
from workings.units import ONE


def run_both_ways(t: int, b_m: int, s: int, c: int, V: int, w_l: Fraction) -> Fraction | None:
    """Logits gathered, and reduced to three values a token; what a rank sends, one over the other."""
    tokens = some_tokens(b_m, s, c, V)
    if tokens is None:
        return None
    logits = some_logits(tokens, V)
    return gather_logits(t, logits).sent / split_loss(t, logits, tokens).sent


VOCAB_LOSS_SAVING = derivation(
    "vocab-loss-saving",
    title="Bytes of gathered logits over those of a split loss",
    unit=ONE,
    letters=LETTERS,
    uses={"V_gat": VOCAB_GATHER_BYTES.at(), "V_loss": VOCAB_LOSS_BYTES.at()},
    given=("t > 1", "w_l > 0 -- without logits there is nothing to send"),
    source=MEGATRON,
    oracle=run_both_ways,
    convention="Both on rings; see vocab-gather-bytes and vocab-loss-bytes.",
    chain="""
    r_loss = V_gat/V_loss                                              -- either way to the loss
      = (t - 1)/t*(w_l*b_m*s*V/c)/(6*(t - 1)/t*(w_l*b_m*s/c))          -- put both in
      = V/6                                     -- a sixth of the vocabulary, on any number of ranks
    """,
)
