"""On how few devices a few steps of a layout show its peak of memory, and what differs there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.space import divisors, space
from workings.planning.working import shown
from workings.review.answer import by_odds
from workings.review.desk import Desk
from workings.review.numbers import spent
from workings.units import BYTE, SECOND

HOUR = 3600  # seconds
SLIGHT = Fraction(1, 200)  # of a peak or a step, by which it is no other


class Trial(NamedTuple):
    """A run of fewer replicas, each as in the job, and what the model says of its peak and its step."""

    job: Job
    devices: Fraction
    replicas: int
    batch: Fraction
    values: Mapping[str, Fraction]


def smallest(desk: Desk) -> Trial | None:
    """The run of fewest replicas whose peak keeps the limit at P90, else at P50 or by the model; or None.

    All other degrees stay, and the micro-batches of a replica; no constraint is broken that the job
    keeps, so that groups of experts are whole.
    """
    ends = desk.outcome.ends("M")
    found = (_smallest(desk, over) for over in (ends.most, ends.middle, Fraction(1)))
    runs = [run for run in found if run is not None]
    return next((run for run in runs if run.devices < desk.base["n"]), runs[0] if runs else None)


def _smallest(desk: Desk, over: Fraction) -> Trial | None:
    """The same, where a peak is so many times what the model says of it."""
    room, own = desk.job.limit_if * desk.base["M_dev"], broken(desk.job)
    for replicas in divisors(int(desk.base["d"])):
        share = replicas / desk.base["d"]
        run = desk.job.with_values({n: desk.base[n] * share for n in ("n", "b")})
        if broken(run) - own:
            continue
        values = exactly(desk.plan, run.values(), ["M", "T_step", "n_comm"])
        if values["M"] * over <= room:
            return Trial(run, desk.base["n"] * share, replicas, desk.base["b"] * share, values)
    return None


def broken(job: Job) -> set[str]:
    """The constraints of a search that a job's layout breaks."""
    found = space(job)
    letters = [letter for axis in (*found.tied, *found.free) for letter in axis.letters]
    return set(found.broken({letter: job.figures[letter].value for letter in letters}))


def on_fewer(desk: Desk, results: Iterable[str]) -> str:
    """Where peak and step can be measured before all devices are there; nothing of one replica."""
    found = smallest(desk)
    wanted = [one for one in ("M", "T_step") if one in results]
    if found is None or desk.base["d"] == 1 or not wanted or desk.base["n"] <= desk.base["n_node"]:
        return ""
    if found.devices == desk.base["n"]:
        return (
            "Only all devices show this: with fewer replicas, which share the state, a rank would hold "
            "more than the limit."
        )
    told = " and ".join(_beside(desk, found, one) for one in wanted)
    return (
        f"Before all devices are reserved, {int(found.devices):,} of them show this (DP "
        f"{found.replicas:,}, {int(found.batch):,} sequences a step): the model says {told}. "
        f"Allow for what differs{_narrower(desk)}.{_may_not_fit(desk, found)}{_an_hour(desk, found)}"
    )


def _narrower(desk: Desk) -> str:
    """What fewer replicas leave unseen where weights are gathered all the time."""
    return ": weights and gradients are shared by fewer, over fewer links" if desk.base["z_3"] else ""


def _may_not_fit(desk: Desk, found: Trial) -> str:
    """That a trial may run out of memory where the whole run would not."""
    there = Desk(found.job, desk.plan)
    if by_odds(there, "u_M") == "GO" or "M" in desk.known:
        return ""
    fit = there.outcome.in_words("u_M", desk.job.limit_if)
    return f" It may run out of memory where the whole run does not: {fit} of 100 such would fit."


def _an_hour(desk: Desk, found: Trial) -> str:
    """What the devices of a trial cost."""
    rate = found.devices * desk.base["c_d"]
    return f" An hour of them costs {spent('c_run', rate * HOUR)}." if rate else ""


def _why_more(desk: Desk, found: Trial) -> str:
    """Why fewer devices hold more, and what takes some of it back."""
    fewer = found.values["n_comm"] < desk.base["n_comm"]
    return f", as state is shared by fewer{', though with a communicator less' if fewer else ''},"


def _beside(desk: Desk, found: Trial, result: str) -> str:
    """A result there, and by how much it is another than here."""
    name, unit = {"M": ("a peak", BYTE), "T_step": ("a step", SECOND)}[result]
    there, here = found.values[result], desk.base[result]
    said = f"{name} of {shown(there, unit)}"
    if abs(there / here - 1) < SLIGHT:
        return f"{said}, as here"
    why = _why_more(desk, found) if result == "M" and there > here else ""
    return (
        f"{said}, {shown(abs(there - here), unit, 2)} {'more' if there > here else 'less'} than here{why}"
    )
