"""All activations of a model without dropout on one stage."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._head import GIVEN, LETTERS, head_tape
from workings.derivations.activations._sources import ENDS
from workings.derivations.activations.head_activations import HEAD_ACTIVATIONS
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCKS


def tape_blocks_and_head(
    A_L: Fraction, s: int, b_m: int, D: int, V: int, a: Fraction, w_l: Fraction, t: int, c: int
) -> Fraction | None:
    """The head run on shapes, each tensor on its tape added to what the blocks keep."""
    head = head_tape(s, b_m, D, V, a, w_l, t, c)
    return None if head is None else sum((tensor.bytes for tensor in head.saved), A_L)


BLOCKS_AND_HEAD_ACTIVATIONS = derivation(
    "blocks-and-head-activations",
    title="Activations of a whole model on one stage, without dropout after the embedding",
    unit=BYTE,
    letters={"A_L": KEPT_BY_BLOCKS, **LETTERS},
    uses={"A_head": HEAD_ACTIVATIONS.at()},
    given=GIVEN,
    source=ENDS,
    oracle=tape_blocks_and_head,
    convention="One micro-batch; `A_L` follows from the block's ledger that applies.",
    chain="""
    A_dry = A_L + A_head                                -- blocks, then norm, head and loss
      = A_L + s*b_m/(t*c)*(2*a*D + w_l*V)               -- put both in
    """,
)
