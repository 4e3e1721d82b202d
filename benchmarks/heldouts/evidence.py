"""Rows that have been scored, as evidence for reviews: how far each lay from what a plan says of it."""

from __future__ import annotations

from fractions import Fraction

from heldouts.jobs import job
from heldouts.published import counted, peak, step
from heldouts.rows import RefusedError, rows, source
from workings.errors import UserError
from workings.formula import DoesNotEvaluateError
from workings.planning.accuracy import LETTERS, Run
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.generations import generation
from workings.planning.precision import timed_at

PLACES = 10**6  # of a ratio, as it is kept


def scored_runs() -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The step times of all rows of which a plan can be made, and the peaks that are printed."""
    times, peaks = [], []
    for row in rows():
        try:
            read, published, size = job(row), step(row).seconds, peak(row)
            v = exactly(plan(), read.values(), {"T_step", "M", *LETTERS})
        except (RefusedError, UserError, DoesNotEvaluateError):
            continue
        values = {name: v[name] for name in LETTERS}
        about = generation(read.device), timed_at(read.device, v["C"], v["a"])
        times.append(Run(*about, _ratio(published, v["T_step"]), values, source(row)))
        if size is not None:
            peaks.append(Run(*about, _ratio(size.bytes, counted(size, v)), values, source(row)))
    return tuple(times), tuple(peaks)


def _ratio(published: float, ours: Fraction) -> Fraction:
    return Fraction(round(Fraction(published) / ours * PLACES), PLACES)
