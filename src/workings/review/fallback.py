"""What one may fall back on where a measured peak of memory turns out too high."""

from __future__ import annotations

from fractions import Fraction

from workings.planning.remedies import Lighter, lighter, of_least_time
from workings.planning.rules.finding import AS_FAST
from workings.planning.working import shown
from workings.review.answer import ABOUT, by_odds, limited
from workings.review.desk import Desk
from workings.review.numbers import percent
from workings.units import BYTE, SECOND

LONGEST = Fraction(1, 2)  # of a step: what takes so much more is none


def fallback(desk: Desk) -> str:
    """The smallest change of the same layout in words, where the memory is not GO as it is."""
    found = smallest_change(desk)
    if found is None or by_odds(desk, "u_M") == "GO":
        return ""
    less = shown(desk.base["M"] - found.memory, BYTE, 2)
    sure = ", is GO on memory" if keeps_surely(desk, found) else ""
    told = _then(desk, found)
    if "NO-GO" in told:
        return (
            f" If not, nothing found keeps every limit: with {found.words} the fullest rank holds {less} "
            f"less{sure}, but a step takes{told.removeprefix(',')}."
        )
    return (
        f" If not: with {found.words} the fullest rank holds {less} less{sure} and {_pace(found.time)} "
        f"by the model{told}."
    )


def smallest_change(desk: Desk) -> Lighter | None:
    """The change of least time with which the memory keeps its limit at P90, or else at P50.

    Where none comes so far, the one that leaves least; none that takes half as long again.
    """
    near = [one for one in lighter(desk.job, desk.plan) if one.time < LONGEST]
    likely = desk.likely("M")
    targets = (_target(desk, end) for end in (likely.most, likely.middle))
    enough = (of_least_time(near, target) for target in targets if target < desk.base["M"])
    lightest = min(near, key=lambda one: one.memory, default=None)
    return next((some[0] for some in enough if some), lightest)


def keeps_surely(desk: Desk, change: Lighter) -> bool:
    """Whether the memory then keeps its limit at P90."""
    return change.memory <= _target(desk, desk.likely("M").most)


def _target(desk: Desk, end: Fraction) -> Fraction:
    """What the model may have of the memory, so that an end of its odds keeps the limit.

    What a run of another layout held beside the model comes in bytes, all else as a share.
    """
    base, limit = desk.base["M"], desk.job.limit_if * desk.base["M_dev"]
    beside = desk.job.carried.bytes or Fraction(0) if desk.carried("M") else Fraction(0)
    return limit * (base + beside) / end - beside


def _then(desk: Desk, found: Lighter) -> str:
    """The step then, as it most likely is, and the answer by it, where the run has a limit."""
    limits = limited(desk)
    if not limits or abs(found.time) < AS_FAST - 1:
        return ""
    there = Desk(desk.job.with_values(found.changed), desk.plan)
    step = f", {shown(desk.likely('T_step').middle * (1 + found.time), SECOND)} at P50"
    if "T_step" in desk.known:  # of this layout, not of that
        return step
    kept = [
        f"{ABOUT[n]}: {by_odds(there, n)}, {there.outcome.in_words(n, limit)} of 100"
        for n, limit in limits.items()
    ]
    return f"{step} ({'; '.join(kept)})"


def _pace(time: Fraction) -> str:
    """`a step takes 1.2 % more time`, with what is not seen left out."""
    if abs(time) < AS_FAST - 1:
        return "a step takes no more time"
    return f"a step takes {percent(abs(time), 2)} {'more' if time > 0 else 'less'} time"
