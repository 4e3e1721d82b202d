"""Logits and their gradients, while the loss runs backwards."""

from fractions import Fraction
from typing import Any

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.activations._head import GIVEN, LETTERS, head_tape
from workings.derivations.activations._sources import ENDS
from workings.units import BYTE


def tape_and_its_gradient(**letters: Any) -> object:
    """The last tensor of the head's tape, and one of its shape for the gradient."""
    tape = head_tape(D=1, a=Fraction(1), **letters)
    return tape and sum(tape.saved[-1].bytes for _ in ("logits", "their gradient"))


LOSS_PEAK = derivation(
    "loss-peak",
    title="Logits and their gradients while the loss runs backwards",
    unit=BYTE,
    letters={letter: concept for letter, concept in LETTERS.items() if letter not in ("D", "a")},
    given=GIVEN,
    source=ENDS,
    oracle=tape_and_its_gradient,
    convention="Gradients as wide as the logits of the loss; a loss that writes them over the logits, "
    "or works through the vocabulary in pieces, needs half or less.",
    ledger=(
        Row("logits", "w_l*s*b_m*V", "kept by the forward", "(t*c)", where="last"),
        Row("their gradients", "w_l*s*b_m*V", "written by the backward", "(t*c)", where="last"),
    ),
    chain="""
    M_loss = rows                                  -- add the rows
      = 2*w_l*s*b_m*V/(t*c)                        -- no block is as wide
    """,
)
