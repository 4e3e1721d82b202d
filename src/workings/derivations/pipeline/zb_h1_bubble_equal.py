"""ZB-H1 when all three tasks take equally long."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sources import ZERO_BUBBLE
from workings.derivations.pipeline._times import FILLED
from workings.derivations.pipeline.zb_h1_bubble import ZB_H1_BUBBLE
from workings.simulate.zero_bubble import zb_h1
from workings.units import ONE
from workings.vocabulary.pipeline import FORWARD_TIME


def run_equal_thirds(p: int, m: int, T_F: Fraction) -> Fraction:
    """ZB-H1 run with three tasks of one length; the first rank's idle time over its busy time."""
    schedule = zb_h1(p, m, T_F, T_F, T_F)
    return Fraction(schedule.idle(0)) / schedule.busy(0)


ZB_H1_BUBBLE_EQUAL = derivation(
    "zb-h1-bubble-equal",
    title="Bubble of ZB-H1 with three equal tasks, over ideal time",
    unit=ONE,
    letters={**FILLED, "T_F": FORWARD_TIME},
    uses={"B_h1": ZB_H1_BUBBLE.at(T_B="T_F", T_W="T_F")},
    given=("m >= p",),
    source=ZERO_BUBBLE,
    oracle=run_equal_thirds,
    convention="Bubble over ideal time; forward and both gradients take equally long.",
    leaves_out="Sending, and the synchronisation of the optimizer's step.",
    chain="""
    beta_h1 = B_h1/(3*m*T_F)                  -- over `m` times three tasks
      = (p - 1)*T_F/(3*m*T_F)                 -- put the bubble in
      = (p - 1)/(3*m)                         -- a third of 1F1B's
    """,
)
