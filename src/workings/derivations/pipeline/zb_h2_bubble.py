"""ZB-H2: more forwards at the start, more gradients of weights at the end."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import ZERO_BUBBLE
from workings.derivations.pipeline._times import FILLED, TIMES
from workings.simulate.zero_bubble import zb_h2
from workings.units import SECOND


def put_off_twice_as_many(p: int, m: int, T_F: Fraction, T_B: Fraction, T_W: Fraction) -> Fraction:
    """ZB-H2 run task by task; the longest that any rank takes, less its work."""
    schedule = zb_h2(p, m, T_F, T_B, T_W)
    return Fraction(max(schedule.span(rank) - schedule.busy(rank) for rank in range(p)))


ZB_H2_BUBBLE = derivation(
    "zb-h2-bubble",
    title="Bubble of ZB-H2 as a time",
    unit=SECOND,
    letters={**FILLED, **TIMES},
    given=("T_W <= T_F", "T_W <= T_B", "m >= 2*p - 1"),
    source=ZERO_BUBBLE,
    oracle=put_off_twice_as_many,
    convention="Every rank is timed from its own start to its own end: ranks do not wait for each other "
    "before the optimizer's step. Activations of up to `2*p - 1` micro-batches are held.",
    leaves_out="Sending.",
    chain="""
    B_h2 = sum(T_F, (i, 1, p - 1)) + sum(T_B, (i, 1, p - 1)) - sum(T_W, (i, 1, 2*(p - 1)))
                     -- to the last rank and back, less what it puts off
      = (p - 1)*T_F + (p - 1)*T_B - 2*(p - 1)*T_W     -- equal terms
      = (p - 1)*(T_F + T_B - 2*T_W)                   -- nothing if all three take equally long
    """,
)
