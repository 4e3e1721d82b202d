"""What the head keeps on the last stage."""

from typing import Any

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.activations._head import GIVEN, LETTERS, head_tape
from workings.derivations.activations._sources import ENDS
from workings.units import BYTE


def tape_the_head(**letters: Any) -> object:
    """Final norm, head and loss run on shapes; what a rank's tape keeps."""
    tape = head_tape(**letters)
    return tape and tape.bytes


HEAD_ACTIVATIONS = derivation(
    "head-activations",
    title="Activations of the final norm, the head and the loss on the last stage",
    unit=BYTE,
    letters=LETTERS,
    given=GIVEN,
    source=ENDS,
    oracle=tape_the_head,
    convention="For one micro-batch: the last stage has no more in flight. With 2 bytes an activation "
    "and 4 a logit the paper's `4*s*b_m*D/t*(1 + V/D)`.",
    ledger=(
        Row("input of the final norm", "a*s*b_m*D", "each rank keeps its own tokens", "(t*c)",
            where="last"),
        Row("input of the head", "a*s*b_m*D", "its own tokens, gathered again", "(t*c)", where="last"),
        Row("logits", "w_l*s*b_m*V", "as wide as the loss needs, split by vocabulary", "(t*c)",
            where="last"),
    ),
    chain="""
    A_head = rows                                  -- add the rows
      = s*b_m/(t*c)*(2*a*D + w_l*V)                -- the logits weigh most: `V` is many times `D`
    """,
)  # fmt: skip
