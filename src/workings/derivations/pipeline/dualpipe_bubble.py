"""DualPipe: micro-batches from both ends."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import DUALPIPE
from workings.derivations.pipeline._times import FILLED
from workings.simulate.dualpipe import dualpipe
from workings.units import SECOND
from workings.vocabulary.pipeline import FORWARD_TIME, OVERLAPPED_TIME, WEIGHT_GRADIENT_TIME


def run_from_both_ends(p: int, m: int, T_F: Fraction, T_W: Fraction, T_FB: Fraction) -> Fraction | None:
    """DualPipe run task by task; the time in which a rank in the middle runs nothing."""
    if m > 60:
        return None
    return Fraction(dualpipe(p, m, T_F, T_F, T_W, T_FB).idle(p // 2))


DUALPIPE_BUBBLE = derivation(
    "dualpipe-bubble",
    title="Bubble of DualPipe as a time",
    unit=SECOND,
    letters={
        **FILLED,
        "T_F": FORWARD_TIME,
        "T_W": WEIGHT_GRADIENT_TIME,
        "T_FB": OVERLAPPED_TIME,
    },
    given=("2 divides p", "2 divides m", "m >= 2*p", "T_W <= T_F", "T_FB >= T_F + T_W"),
    source=DUALPIPE,
    oracle=run_from_both_ends,
    convention="The gradient of the input takes as long as a forward, so a whole backward takes "
    "`T_F + T_W`. The longest wait of any rank; `m` micro-batches in both directions together.",
    leaves_out="Sending.",
    chain="""
    B_dual = (p/2 - 1)*T_F + (p/2 - 1)*(T_FB - (T_F + T_W)) + (p/2 - 1)*(T_F - T_W)
                     -- a rank in the middle waits to fill, behind pairs at the ends, to drain
      = (p/2 - 1)*(T_FB + (T_F + T_W) - 3*T_W)     -- as published: a pair and a backward, less `3*T_W`
      = (p/2 - 1)*(T_FB + T_F - 2*T_W)             -- it does not depend on `m`
    """,
)
