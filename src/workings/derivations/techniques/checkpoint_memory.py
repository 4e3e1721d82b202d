"""Peak activation memory with checkpointed segments."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.derivations.techniques.block_input import BLOCK_INPUT
from workings.derivations.techniques.block_saved import BLOCK_SAVED
from workings.simulate.checkpoint import run_segments
from workings.simulate.tensors import saved_for_backward, total_bytes
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_ATTENTION
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, SEGMENTS, TOKENS


def run_forward_and_backward(L: int, k: int, B: int, D: int, F: int, a: Fraction) -> Fraction:
    """A tape run block by block, forward and back, freeing what is done; its fullest moment."""
    tape = saved_for_backward(1, D, F, B, a)
    return run_segments(L, k, tape[0].bytes, total_bytes(tape)).peak


CHECKPOINT_MEMORY = derivation(
    "checkpoint-memory",
    title="Activations of a feed-forward stack under checkpointing in `k` segments",
    unit=BYTE,
    letters={
        "L": BLOCKS,
        "k": SEGMENTS,
        "B": TOKENS,
        "D": D_MODEL,
        "F": D_FF,
        "a": ACTIVATION_WIDTH,
    },
    uses={"c": BLOCK_INPUT.at(), "e": BLOCK_SAVED.at()},
    given=("k divides L",),
    source=SUBLINEAR,
    oracle=run_forward_and_backward,
    convention="A segment's input is kept beside the recomputed tape of its blocks.",
    holds_for={WITHOUT_ATTENTION: "checkpoint-blocks-memory"},
    chain="""
    A_k = sum(c, (i, 1, k)) + sum(e, (j, 1, L/k))
                                 -- every segment's input, and the blocks of the one being redone
      = k*c + L/k*e              -- equal terms
    """,
)
