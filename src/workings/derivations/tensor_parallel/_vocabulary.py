"""The letters of a vocabulary split over ranks, and tokens and logits for the oracles."""

from __future__ import annotations

from workings.simulate.block_matrices import Matrix, numbers
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import VOCAB
from workings.vocabulary.training import LOGIT_WIDTH, MICROBATCH, SEQUENCE_LENGTH

LETTERS = {
    "t": TP, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "c": CP, "V": VOCAB, "w_l": LOGIT_WIDTH,
}  # fmt: skip


def some_tokens(b_m: int, s: int, c: int, V: int) -> list[int] | None:
    """A rank's tokens; None where they cannot be shared out, or are very many."""
    if s % c or b_m * (s // c) * V > 1_500:
        return None
    return [(7 * place + 3) % V for place in range(b_m * (s // c))]


def some_logits(tokens: list[int], V: int) -> Matrix:
    """A row of logits for each token."""
    return numbers(len(tokens), V, 9)
