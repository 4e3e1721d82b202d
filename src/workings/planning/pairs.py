"""What one measured run tells of another: published runs of one model on one page, in pairs.

Whoever measured a step, or a peak, of one layout knows by how much the model is off with this program on
these devices, and takes it that the next layout is off by as much. How true that is, pages with several
runs of one model and sequence length tell: each run is held against another of them, as if that had been
measured first. Fitting the efficiency of products to the measured step instead comes to much the same
(benchmarks/heldout).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from workings.planning.accuracy import (
    SAME,
    Run,
    alike,
    at_shares,
    enough,
    of_kind,
    of_memory,
    off_by,
    peaks,
    step_times,
)
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.precision import precision


@cache
def pairs(runs: tuple[Run, ...], after: Callable[[Run, Run], Fraction]) -> tuple[Run, ...]:
    """Every run that has another of its model on its page, its ratio as it is `after` that was measured.

    The other is the one half of them further on, so that neither neighbours nor ends tell of each other.
    """
    return tuple(
        replace(run, ratio=after(run, some[(place + len(some) // 2) % len(some)]))
        for some in _same(runs)
        for place, run in enumerate(some)
    )


def as_many_times(run: Run, other: Run) -> Fraction:
    """A step over what the model says of it, times what the other took over that."""
    return run.ratio / other.ratio


def as_many_bytes(run: Run, other: Run) -> Fraction:
    """A peak over what the model says of it and the bytes by which the other lay beside that."""
    off = other.figure - other.figure / other.ratio
    said = run.figure / run.ratio
    return run.figure / max(said + off, said / 2)


@cache
def pair_error() -> Fraction:
    """What the model cannot tell of two layouts: how far off it is where another's step is known."""
    return round(off_by(pairs(step_times(), as_many_times)), 3)


class Order(NamedTuple):
    """Of runs of one model on as many devices, in pairs that the model has apart: how many, how many so.

    By `share` of them the model has that one the faster which was; each source counts alike.
    """

    pairs: int
    sources: int
    share: Fraction


@cache
def order(runs: tuple[Run, ...], apart: Fraction) -> Order:
    """How often the model has the right one of two as the faster, where it has them so far apart."""
    right = defaultdict[str, list[bool]](list)
    for some in _same(runs, "n"):
        for one, other in combinations([run for run in some if run.mfu], 2):
            ours, theirs = one.mfu * one.ratio / (other.mfu * other.ratio), one.mfu / other.mfu
            if max(ours, 1 / ours) > 1 + apart:
                right[one.source].append((ours > 1) == (theirs > 1))
    share = sum((Fraction(sum(some), len(some)) for some in right.values()), Fraction(0))
    return Order(sum(map(len, right.values())), len(right), share / len(right) if right else Fraction(0))


def _same(runs: Sequence[Run], *more: str) -> list[list[Run]]:
    """Runs of one model and sequence length by the same people on such devices, those alone left out."""
    of = defaultdict[object, list[Run]](list)
    for run in runs:
        values = (run.values[n] for n in (*SAME, *more))
        of[run.page, run.program, run.generation, run.precision, *values].append(run)
    return [some for some in of.values() if len(some) > 1]


def of_steps(job: Job, values: Mapping[str, Fraction]) -> tuple[Run, ...]:
    """The runs that tell how long a step of a layout takes, over what the model says of it.

    Pairs, where a step of the job's model was measured.
    """
    device = generation(job.device), precision(job)
    if job.carried.times is None:
        return of_kind(alike(step_times(), *device), values, job.framework)
    found = after_a_step(device, values, job.framework)
    return _carried(found, job.carried.times / _middle(found))


def after_a_step(
    device: tuple[str, str], values: Mapping[str, Fraction], program: str = ""
) -> tuple[Run, ...]:
    """The pairs that tell of a layout where another's step is known; of any device if too few tell.

    `device` is the generation and the precision.
    """
    found = pairs(step_times(), as_many_times)
    own = alike(found, *device)
    return of_kind(own if enough(own) else found, values, program)


def of_peaks(job: Job, peak: Fraction) -> tuple[Run, ...]:
    """The same of the peak of memory, which the model says is `peak` bytes."""
    device = generation(job.device), precision(job)
    more = job.carried.bytes
    if more is None:
        return of_memory(peaks(), *device, job.framework)
    found = of_memory(pairs(peaks(), as_many_bytes), *device, job.framework)
    return _carried(found, max(1 + more / peak, Fraction(1, 2)))


@lru_cache(64)
def _middle(runs: tuple[Run, ...]) -> Fraction:
    """The middle of pairs, which either run may have been the first of: that half of them are later."""
    return at_shares(runs, [Fraction(1, 2)])[0]


@lru_cache(64)
def _carried(runs: tuple[Run, ...], times: Fraction) -> tuple[Run, ...]:
    return tuple(replace(run, ratio=run.ratio * times) for run in runs)
