"""A job that chooses no layout, with the best that a search finds; what it does say of one is kept."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.choice import first_choice
from workings.planning.choice import wishes as usual
from workings.planning.job import Job, JobError
from workings.planning.search import Wishes, search
from workings.planning.space import KEYS, Axis, free_axes
from workings.planning.statement import Plan


def with_best_layout(job: Job, plan: Plan, wishes: Wishes | None = None) -> Job:
    """The job with the layout that is named first. Raises JobError where none fits."""
    wishes = wishes or usual(job)
    wishes = wishes._replace(only={**kept(job), **(wishes.only or {})} or None)
    found = search(job, plan, wishes)
    if not found.best:
        from workings.planning.nearest import nearest  # noqa: PLC0415 - not where a layout fits

        raise JobError(nearest(job, plan, wishes))
    first = first_choice(job, found, plan) or found.best[0]
    return job.with_values({name: Fraction(value) for name, value in first.layout.items()})


def kept(job: Job) -> Mapping[str, list[int | str]]:
    """The axes that a job without degrees gives a value of, for `Wishes.only`: `zero = 1`, say."""
    figures = job.figures
    if job.chosen:
        return {}
    found: dict[str, list[int | str]] = {
        key: [int(figures[letter].value)]
        for letter, key in KEYS.items()
        if figures[letter].kind == "given"
    }
    axes = (axis for axis in free_axes(job) if figures[axis.letters[0]].kind == "given")
    return found | {axis.name: [_label(job, axis)] for axis in axes}


def chosen(job: Job) -> dict[str, list[int | str]]:
    """Every axis at the value that the job has, for `Wishes.only`, by letter or name."""
    values: dict[str, list[int | str]] = {letter: [int(job.figures[letter].value)] for letter in KEYS}
    return values | {axis.name: [_label(job, axis)] for axis in free_axes(job)}


def _label(job: Job, axis: Axis) -> str:
    """What the axis calls the job's value."""
    return axis.labels[axis.values.index(tuple(int(job.figures[n].value) for n in axis.letters))]
