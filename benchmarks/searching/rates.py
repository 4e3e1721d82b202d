"""Layouts a second: over arrays, with everything a search does beside, and one after the other."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.arrays import Reading
from workings.planning.arrays_points import Points
from workings.planning.arrays_search import Sweep
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.space import space
from workings.planning.stored import stored_plan

STEP = ("M", "T_step")
# Memory and its moments, volumes, times, bubble, utilization, throughput, days and cost.
FULL = (
    *STEP, "u_M", "M_first", "M_mid", "M_last", "V_t", "V_c", "V_e", "V_d", "V_x", "T_work", "T_idle",
    "T_send", "T_sync", "T_opt", "x_idle", "u", "C_u", "R_s", "T_run", "c_run",
)  # fmt: skip
PASSES = 25
SAMPLE = 40


@dataclass(frozen=True, slots=True)
class Rate:
    """Layouts a second, of so many; the quickest pass and the median one."""

    layouts: int
    best: float
    median: float


def evaluating(job: Job, letters: Sequence[str]) -> Rate:
    """Evaluate letters at every valid layout of a job, none pruned."""
    points = Points(space(job))
    reading = Reading(stored_plan(), job.values(), points, tuple(letters))

    def go() -> None:
        for rows in reading.blocks():
            reading.block(rows, tuple(letters))

    sweep = Sweep(reading, "T_step", 0.0)
    sweep.run()
    return _rate(sweep.tally.valid, go)


def searching(job: Job) -> tuple[Rate, int]:
    """A search: constraints, memory, time where something fits, the best, the front; and the pruned."""
    points = Points(space(job))
    reading = Reading(stored_plan(), job.values(), points, STEP)
    limit = float(job.limit * job.figures["M_dev"].value)
    found: list[Sweep] = []

    def go() -> None:
        sweep = Sweep(reading, "T_step", limit)
        sweep.run()
        found.append(sweep)

    rate = _rate(1, go)
    tally = found[-1].tally
    return Rate(tally.evaluated, tally.evaluated * rate.best, tally.evaluated * rate.median), tally.pruned


def one_by_one(job: Job, letters: Sequence[str]) -> float:
    """Layouts a second by the exact reading, from a sample of those of the search."""
    points, chance = Points(space(job)), random.Random(1)  # noqa: S311 - which layouts does not matter
    layouts = []
    for _ in range(SAMPLE):
        places = [chance.randrange(n) for n in points.shape]
        layouts.append(points.layout(chance.randrange(points.count), places))
    started = time.perf_counter()
    for layout in layouts:
        given = {**job.values(), **{name: Fraction(value) for name, value in layout.items()}}
        exactly(stored_plan(), given, letters)
    return SAMPLE / (time.perf_counter() - started)


def _rate(layouts: int, go: Callable[[], None]) -> Rate:
    times = []
    for _ in range(PASSES):
        started = time.perf_counter()
        go()
        times.append(time.perf_counter() - started)
    return Rate(layouts, layouts / min(times), layouts / statistics.median(times))
