"""Up to which degree a feed-forward alone hides its all-reduce."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.tensor_parallel._letters import SPEEDS, SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import SCALING_BOOK_GPU_TP
from workings.derivations.tensor_parallel._work import feed_forward_flops, reduced_bytes
from workings.units import ONE
from workings.vocabulary.kinds import DENSE_BLOCKS
from workings.vocabulary.model import D_FF, FFN_MATRICES

MOST_RANKS = 60


def race_the_feed_forward(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction, F: int, n_f: int, C: Fraction, W_1: Fraction
) -> bool | None:
    """A rank's products in the feed-forward against the sum of its output, both counted."""
    if s % c or t > MOST_RANKS:
        return None
    rows = b_m * s // c
    return feed_forward_flops(t, rows, D, F, n_f) / C > reduced_bytes(t, a * rows * D) / W_1


TP_FFN_DEGREE_LIMIT = derivation(
    "tp-ffn-degree-limit",
    title="Ranks up to which a feed-forward's all-reduce can hide behind its compute",
    unit=ONE,
    noun="devices",
    letters={**SPLIT_ACTIVATION, "F": D_FF, "n_f": FFN_MATRICES, **SPEEDS},
    uses={"V_AR": RING_ALL_REDUCE.at(N="t", S="a*b_m*s*D/c")},
    source=SCALING_BOOK_GPU_TP,
    oracle=race_the_feed_forward,
    convention="Forward; inside a node; exact ring. For a large ring, two matrices and `a` of 2 bytes it "
    "reads `t < F*W_1/C`.",
    leaves_out="Start-up latency.",
    holds_for={DENSE_BLOCKS: "expert-tp-degree-limit"},
    chain="""
    n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > V_AR/W_1      -- `n_f` products outlast one all-reduce
      <=> n_f*(2[FLOP]*b_m*(s/c)*D*(F/t))/C > 2*(t - 1)/t*(a*b_m*s*D/c)/W_1   -- put it in
      <=> t < 1 + 2[FLOP]*n_f*F*W_1/(2*a*C)           -- multiply by `c*t/(b_m*s*D)`, solve for `t`
    """,
)
