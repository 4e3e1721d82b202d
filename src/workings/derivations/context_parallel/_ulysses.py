"""What the oracles here share: heads of tokens that are really exchanged."""

from __future__ import annotations

from fractions import Fraction

from workings.simulate.block_matrices import spans
from workings.simulate.head_exchange import exchange_heads

# Every rank gets whole heads, also of keys and values.
EVEN_EXCHANGE = ("c*t divides K", "K divides H")
IN_WORDS = (
    "One layer, one micro-batch. Each of `c` ranks starts with its tokens of all heads and ends with all "
    "tokens of its heads, of which there must be at least one for queries, keys and values alike."
)


def exchanged(c: int, t: int, s: int, H: int, K: int) -> Fraction | None:
    """Heads of tokens that a rank sends of one sequence, on average; None where there are very many."""
    if s * (H // t) > 4_000:
        return None
    sent = Fraction(0)
    for heads, ways in ((spans(H, t)[0], "qo"), (spans(K, t)[0], "kv")):
        there_and_back = exchange_heads(s, len(heads), c)
        for way in ways:
            sent += there_and_back.to_tokens if way == "o" else there_and_back.to_heads
    return sent
