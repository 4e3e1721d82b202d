"""ZB-H1: gradients of weights fill the end of the step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import ZERO_BUBBLE
from workings.derivations.pipeline._times import FILLED, TIMES
from workings.simulate.zero_bubble import zb_h1
from workings.units import SECOND


def put_off_a_few_weights(p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction) -> Fraction:
    """ZB-H1 run task by task; the time in which the first rank runs nothing."""
    return Fraction(zb_h1(p, m, T_F, T_B, T_W).idle(0))


ZB_H1_BUBBLE = derivation(
    "zb-h1-bubble",
    title="Bubble of ZB-H1 as a time",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    given=("T_W <= T_F", "T_W <= T_B", "m >= p"),
    source=ZERO_BUBBLE,
    oracle=put_off_a_few_weights,
    convention="`T_B` is the gradient of the input alone; a rank puts off as many `T_W` as ranks go "
    "before it.",
    leaves_out="Sending, and the synchronisation of the optimizer's step.",
    chain="""
    B_h1 = sum(T_F, (i, 1, p - 1)) + sum(T_B, (i, 1, p - 1)) - sum(T_W, (i, 1, p - 1))
                     -- to the last rank and back, less what it puts off
      = (p - 1)*T_F + (p - 1)*T_B - (p - 1)*T_W       -- equal terms
      = (p - 1)*(T_F + T_B - T_W)                     -- with 1F1B, `T_W` is added instead
    """,
)
