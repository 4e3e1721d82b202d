"""Compute and transfers at once, or one after the other.

Where the times of compute and of transfers are known, the time of both lies between the larger and the
sum: the larger where they overlap wholly, the sum where each waits for the other. The two are never more
than a factor of two apart.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.roofline._sources import SCALING_BOOK_TIME
from workings.simulate.meter import one_after_the_other, side_by_side
from workings.units import SECOND
from workings.vocabulary.roofline import MOVE_TIME, WORK_TIME


def run_side_by_side(T_c: Fraction, T_v: Fraction) -> Fraction:
    """Pieces of compute on one lane and of transfers on another; when the later lane is done."""
    return side_by_side(T_c, T_v)


OVERLAPPED_TIME = derivation(
    "overlapped-time",
    title="Time of compute and transfers that overlap wholly",
    phrases="max of compute and communication time; t = max(t_compute, t_comms); lower bound of step "
    "time with full overlap; perfect overlap of communication and math; whichever is slower counts; "
    "step time when communication is hidden",
    unit=SECOND,
    letters={"T_c": WORK_TIME, "T_v": MOVE_TIME},
    source=SCALING_BOOK_TIME,
    oracle=run_side_by_side,
    convention="Neither ever waits for the other: the least time both can take.",
    chain="""
    T_lap = T_c + max(T_v - T_c, 0[s])     -- compute, and what transfers take beyond it
      = max(T_c, T_v)                      -- the slower decides
    """,
)


def run_in_turn(T_c: Fraction, T_v: Fraction) -> Fraction:
    """Compute and transfers queued on one clock."""
    return one_after_the_other(T_c, T_v)


SERIAL_TIME = like(
    "serial-time",
    OVERLAPPED_TIME,
    title="Time of compute and transfers one after the other",
    phrases="sum of compute and communication time; no overlap; upper bound of step time; T_math plus "
    "T_comms; time without hiding communication; blocking collectives",
    oracle=run_in_turn,
    convention="Nothing overlaps: the most both take.",
    chain="""
    T_ser = T_c + T_v         -- transfers wait for compute, or compute for transfers
    """,
)
