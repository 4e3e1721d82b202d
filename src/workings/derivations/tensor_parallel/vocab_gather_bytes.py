"""Gathering split logits on every rank."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.derivations.tensor_parallel._vocabulary import LETTERS, some_logits, some_tokens
from workings.simulate.vocabulary_split import gather_logits
from workings.units import BYTE


def pass_logits_round(t: int, b_m: int, s: int, c: int, V: int, w_l: Fraction) -> Fraction | None:
    """Columns of real logits passed round until every rank has all of them."""
    tokens = some_tokens(b_m, s, c, V)
    return None if tokens is None else gather_logits(t, some_logits(tokens, V)).sent * w_l


VOCAB_GATHER_BYTES = derivation(
    "vocab-gather-bytes",
    title="Bytes a rank sends to gather logits that are split by the vocabulary",
    unit=BYTE,
    letters=LETTERS,
    uses={"V_AGV": RING_ALL_GATHER.at(N="t", S="w_l*b_m*s*V/c")},
    given=("c divides s",),
    source=MEGATRON,
    oracle=pass_logits_round,
    convention="One micro-batch, forward.",
    chain="""
    V_gat = V_AGV                          -- every rank gets the whole vocabulary of every token
      = (t - 1)/t*(w_l*b_m*s*V/c)          -- an all-gather
    """,
)
