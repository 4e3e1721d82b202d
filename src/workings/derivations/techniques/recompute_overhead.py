"""The extra compute of activation checkpointing."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute.feed_forward import FFN_BACKWARD_FLOPS, FFN_FORWARD_FLOPS
from workings.derivations.sources import SUBLINEAR
from workings.simulate.checkpoint import run_segments
from workings.simulate.matmul import ffn_backward, ffn_forward, ffn_numbers
from workings.units import ONE
from workings.vocabulary.kinds import ANY_MODEL
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import SEGMENTS, TOKENS


def count_runs_and_flops(L: int, k: int, B: int, D: int, F: int) -> Fraction:
    """Forward and backward runs counted on a checkpointing tape, FLOPs of each by nested loops."""
    x, w_in, w_out = ffn_numbers(B, D, 1), ffn_numbers(D, F, 2), ffn_numbers(F, D, 3)
    forward = ffn_forward(x, w_in, w_out)
    backward = ffn_backward(x, forward.hidden, w_in, w_out, ffn_numbers(B, D, 4)).flops
    run = run_segments(L, k, 1, 1)
    redone = run.forward_runs * forward.flops + run.backward_runs * backward
    return Fraction(redone, L * (forward.flops + backward))


RECOMPUTE_OVERHEAD = derivation(
    "recompute-overhead",
    title="Compute with full recomputation over compute without",
    unit=ONE,
    letters={"L": BLOCKS, "k": SEGMENTS, "B": TOKENS, "D": D_MODEL, "F": D_FF},
    uses={"f_fwd": FFN_FORWARD_FLOPS.at(), "f_bwd": FFN_BACKWARD_FLOPS.at()},
    given=("k divides L",),
    source=SUBLINEAR,
    oracle=count_runs_and_flops,
    convention="Every segment is run forward again, the last one too.",
    holds_for={ANY_MODEL: ""},
    chain="""
    r_redo = L*(f_fwd + f_fwd + f_bwd)/(L*(f_fwd + f_bwd))   -- forward twice, backward once
      = (2*f_fwd + 2*f_fwd)/(f_fwd + 2*f_fwd)           -- backward costs two forward passes
      = 4/3                                             -- an extra third
    """,
)
