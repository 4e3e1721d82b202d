"""All-to-all from tokens to heads and back: each rank ends with some heads of all tokens.

An item is one head of one token. A rank starts with every head of its tokens; it keeps what belongs
to its own heads and sends the rest to the ranks of the other heads.
"""

from dataclasses import dataclass
from fractions import Fraction

from .block_matrices import spans


@dataclass(frozen=True)
class Exchange:
    """Items a rank sent, on average over the ranks, towards heads and back towards tokens."""

    to_heads: Fraction
    to_tokens: Fraction


def exchange_heads(tokens: int, heads: int, ranks: int) -> Exchange:
    """Exchange there and back; AssertionError if a rank lacks an item at the end of either way."""
    by_token = [{(t, h) for t in span for h in range(heads)} for span in spans(tokens, ranks)]
    by_head = [{(t, h) for t in range(tokens) for h in span} for span in spans(heads, ranks)]
    there = _send(by_token, by_head)
    back = _send(by_head, by_token)
    return Exchange(Fraction(there, ranks), Fraction(back, ranks))


def _send(start: list[set[tuple[int, int]]], wanted: list[set[tuple[int, int]]]) -> int:
    """Items sent by all ranks until each has what it wants."""
    owner = {item: rank for rank, own in enumerate(wanted) for item in own}
    received: list[set[tuple[int, int]]] = [set() for _ in wanted]
    sent = 0
    for source, items in enumerate(start):
        for item in items:
            received[owner[item]].add(item)
            sent += source != owner[item]
    if received != wanted:
        raise AssertionError("A rank lacks an item.")
    return sent
