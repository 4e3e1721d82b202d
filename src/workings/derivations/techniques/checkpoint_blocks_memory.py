"""Peak activation memory with checkpointed segments, whatever the blocks."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.sources import SUBLINEAR
from workings.simulate.checkpoint import run_segments
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_BY_BLOCK
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEGMENTS, SEQUENCE_LENGTH


def run_segments_forward_and_back(
    L: int, k: int, A_b: Fraction, s: int, b_m: int, D: int, a: Fraction, t: int, N_c: int
) -> Fraction:
    """A tape run block by block, forward and back, freeing what is done; its fullest moment."""
    tokens = Fraction(sum(s for _ in range(b_m)), t * N_c)
    return run_segments(L, k, sum((tokens * a for _ in range(D)), Fraction(0)), A_b).peak


CHECKPOINT_BLOCKS_MEMORY = derivation(
    "checkpoint-blocks-memory",
    title="Activations of a model's blocks under checkpointing in `k` segments",
    unit=BYTE,
    letters={
        "L": BLOCKS, "k": SEGMENTS, "A_b": KEPT_BY_BLOCK, "s": SEQUENCE_LENGTH, "b_m": MICROBATCH,
        "D": D_MODEL, "a": ACTIVATION_WIDTH, "t": TP, "N_c": CP,
    },
    given=("k divides L", "t*N_c divides s"),
    source=SUBLINEAR,
    oracle=run_segments_forward_and_back,
    convention="One micro-batch, equal blocks; a rank keeps its own tokens of a segment's input, beside "
    "the recomputed tape of the segment's blocks.",
    leaves_out="Embedding and head.",
    chain="""
    A_seg = sum(a*s*b_m*D/(t*N_c), (i, 1, k)) + sum(A_b, (j, 1, L/k))
                                 -- every segment's input, and the blocks of the one being redone
      = k*a*s*b_m*D/(t*N_c) + L/k*A_b      -- equal terms
    """,
)  # fmt: skip
