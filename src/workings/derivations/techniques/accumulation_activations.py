"""Gradient accumulation and the activations it saves."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.memory.stack import SAVED_ACTIVATIONS
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.tensors import saved_for_backward, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCHES, TOKENS


def record_one_microbatch(L: int, D: int, F: int, B: int, a: Fraction, m: int) -> Fraction:
    """The tokens dealt out to m micro-batches; the tape of one of them added up."""
    dealt = [0] * m
    for token in range(B):
        dealt[token % m] += 1
    return total_bytes(saved_for_backward(L, D, F, max(dealt), a))


ACCUMULATION_ACTIVATIONS = derivation(
    "accumulation-activations",
    title="Activations of a feed-forward stack saved under gradient accumulation",
    unit=BYTE,
    letters={
        "L": BLOCKS,
        "D": D_MODEL,
        "F": D_FF,
        "B": TOKENS,
        "a": ACTIVATION_WIDTH,
        "m": MICROBATCHES,
    },
    uses={"A": SAVED_ACTIVATIONS.at()},
    given=("m divides B",),
    source=SCALING_BOOK_FLOPS,
    oracle=record_one_microbatch,
    convention="A micro-batch's activations are freed before the next one starts.",
    holds_for={WITHOUT_ATTENTION: "blocks-activations"},
    chain="""
    A_m = a*(B/m)*L*(D + F)         -- only one micro-batch's tokens at a time
      = A/m                         -- all tokens' activations, shared by `m` turns
    """,
)
