"""Chimera.

Two pipelines of 1F1B run in opposite directions on the same ranks, half of the micro-batches in each
direction. While one direction fills or drains at a rank, the other has work for it: a step of as many
micro-batches as ranks waits less than with 1F1B. In return each rank holds two stages.
"""

from fractions import Fraction

from workings.derivation import Source, derivation, only_if
from workings.derivations.pipeline._times import TIMES
from workings.simulate.chimera import chimera
from workings.units import SECOND
from workings.vocabulary.layout import STAGES

CHIMERA = Source(
    "Li and Hoefler",
    "Chimera: Efficiently Training Large-Scale Neural Networks with Bidirectional Pipelines",
    2021,
    "abstract",
    "https://arxiv.org/abs/2107.06925",
)


def merge_two_directions(p: int, T_F: Fraction, T_B: Fraction, T_W: Fraction) -> Fraction:
    """Chimera run task by task; the time in which the first rank runs nothing."""
    only_if(p <= 16)
    return Fraction(chimera(p, T_F, T_B + T_W).idle(0))


CHIMERA_BUBBLE = derivation(
    "chimera-bubble",
    title="Bubble of Chimera as a time",
    phrases="Chimera idle time; Chimera pipeline bubble; Li and Hoefler bidirectional 1F1B bubble; D-2 "
    "bubbles; up and down pipelines merged",
    unit=SECOND,
    letters={"p": STAGES, **TIMES},
    given=("2 divides p", "T_F <= T_B + T_W"),
    source=CHIMERA,
    oracle=merge_two_directions,
    convention="As many micro-batches as stages, half of them in each direction; both gradients are "
    "computed in one backward.",
    leaves_out="Sending, the gradients' all-reduce between the two copies of a stage, and more "
    "micro-batches than stages.",
    chain="""
    B_chi = sum(T_F, (i, 1, p)) + sum(T_B + T_W, (i, 1, 2*p - 2)) - p*(T_F + T_B + T_W)
                     -- the longest way: `p` forwards, then backwards both ways; less a rank's work
      = p*T_F + (2*p - 2)*(T_B + T_W) - p*(T_F + T_B + T_W)     -- equal terms
      = (p - 2)*(T_B + T_W)          -- 1F1B waits for `p - 1` forwards too, and for one backward more
    """,
)
