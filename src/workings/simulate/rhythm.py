"""When a rank that computes has something to send: stretches of work on a clock.

A rank works through stretches one after the other, without waiting. Each takes some time and may
end in an operation of a parallel axis, of which the time is noted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ._checks import amount


@dataclass(frozen=True)
class Stretch:
    """Work that takes `time`, and the axis of the operation at its end (empty: none)."""

    time: Fraction | int
    axis: str = ""


def operations(stretches: Iterable[Stretch]) -> dict[str, list[Fraction]]:
    """The times of every axis's operations, in order. ValueError if a stretch takes less than 0."""
    now, found = Fraction(0), dict[str, list[Fraction]]()
    for stretch in stretches:
        now += amount("time", stretch.time)
        if stretch.axis:
            found.setdefault(stretch.axis, []).append(now)
    return found


def mean_interval(times: Iterable[Fraction]) -> Fraction:
    """The time from the start to the last operation, shared by all. ValueError if there is none."""
    gaps, before = [], Fraction(0)
    for time in times:
        gaps.append(time - before)
        before = time
    if not gaps:
        raise ValueError("there must be at least one operation.")
    return sum(gaps, Fraction(0)) / len(gaps)
