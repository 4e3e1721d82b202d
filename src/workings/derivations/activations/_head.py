"""The head on the last stage, run on shapes."""

from fractions import Fraction

from workings.simulate.block_tape import Active, Tape, mine
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import D_MODEL, VOCAB
from workings.vocabulary.training import ACTIVATION_WIDTH, LOGIT_WIDTH, MICROBATCH, SEQUENCE_LENGTH

LETTERS = {
    "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "V": VOCAB, "a": ACTIVATION_WIDTH,
    "w_l": LOGIT_WIDTH, "t": TP, "c": CP,
}  # fmt: skip


GIVEN = ("t divides s", "c divides s", "t divides V")


def head_tape(
    s: int, b_m: int, D: int, V: int, a: Fraction, w_l: Fraction, t: int, c: int
) -> Tape | None:
    """Final norm, head and loss on one rank; None where tokens or vocabulary come out uneven."""
    try:
        tokens = mine(s, c, 0)
        own, columns = mine(len(tokens), t, 0), mine(V, t, 0)
    except ValueError:
        return None
    tape = Tape()
    normed = tape.norm(Active("last block's output", (len(own), b_m, D), a), "normed")
    logits = tape.linear(normed, len(columns), "logits", gathered=len(tokens))
    tape.softmax(Active("logits for the loss", logits.shape, w_l), "the loss's softmax")
    return tape
