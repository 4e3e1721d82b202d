"""The points of a sweep, one after the other: a layout at each, and what it comes to, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from workings.formula import DoesNotEvaluateError
from workings.planning.choice import wishes
from workings.planning.exact_layouts import ExactLayouts
from workings.planning.job import Job, JobError
from workings.planning.letters import LAYOUT
from workings.planning.nearest import nearest_in_short
from workings.planning.output.layouts import stated_parts
from workings.planning.search import search
from workings.planning.space import Space, space
from workings.planning.statement import Plan
from workings.planning.sweeping.axes import Axis
from workings.planning.sweeping.reading import Read, Settings, Source, source
from workings.planning.utilization import mfu_said
from workings.units import UnitError

WANTED = ("M", "u_M", "T_step", "u", "R_s", "d", "T_run", "c_run")
Progress: TypeAlias = Callable[[int, int], None]
# Keys of a layout as a search restricts them, and a job's words for what it calls otherwise.
_SEARCHED = {"tp": "t", "cp": "c", "pp": "p", "ep": "e", "etp": "t_e", "virtual_stages": "v",
             "microbatch": "b_m", "zero": "zero", "recompute": "recompute",
             "sequence_parallel": "sequence_parallel"}  # fmt: skip
_WORDS = {"selective": "core", "true": "yes", "false": "no"}
_FOLLOWS = ("dp", "microbatches")


@dataclass(frozen=True)
class Point:
    """Where a sweep stood, by the names of its axes; the layout there, and its values.

    `reason` says why there are none, or that the layout does not fit; `parts` of a block are computed
    again because the job says so.
    """

    at: Mapping[str, str]
    layout: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, Fraction] = field(default_factory=dict)
    fits: bool | None = None
    reason: str = ""
    parts: str = ""

    def __repr__(self) -> str:
        at = ", ".join(f"{name}={text}" for name, text in self.at.items())
        return f"{at}: {self.reason or 'fits'}"


@dataclass(frozen=True)
class Swept:
    """A sweep: every point, or those before Ctrl-C where it is not `complete`."""

    name: str
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    size: int
    best: bool
    weak: bool
    own: Job

    @property
    def scaling(self) -> str:
        """What became of the batch where the devices were swept; nothing where they were not."""
        if not any(axis.key == "devices" for axis in self.axes):
            return ""
        return "weak scaling" if self.weak else "strong scaling"

    @property
    def complete(self) -> bool:
        """Whether every point was looked at."""
        return len(self.points) == self.size


def sweep(
    read: Read, plan: Plan, axes: Sequence[Axis], *, best: bool | None = None, weak: bool = False,
    progress: Progress | None = None,
) -> Swept:  # fmt: skip
    """Each combination of values: the job's own layout there, or with `best` that of a search.

    Where `best` is not said, the job's own layout if it has one. Raises JobError where the job cannot
    be read, or no point of it; Ctrl-C ends the sweep with the points that are complete.
    """
    if weak and not any(axis.key == "devices" for axis in axes):
        raise JobError("weak scaling: found no axis of devices, expected one such as gpus=8..512")
    settings = list(product(*(axis.values for axis in axes)))  # the last axis fastest
    from_job = source(read, (_given(axes, s, best=bool(best)) for s in settings), weak=weak)
    own = from_job.own
    best = not own.chosen if best is None else best
    if not best and not own.chosen and not any(axis.key in _SEARCHED for axis in axes):
        raise JobError(f"{own.name}: found no layout, expected one in [launch], or --best")
    found: list[Point] = []
    try:
        for number, values in enumerate(settings, 1):
            found.append(_point(from_job, plan, axes, values, best=best))
            if progress is not None:
                progress(number, len(settings))
    except KeyboardInterrupt:
        pass
    if len(found) == len(settings) and not any(point.values for point in found):
        raise JobError(f"--over: found no point with a layout; at the first, {found[0].reason}")
    return Swept(own.name, tuple(axes), tuple(found), len(settings), best, weak, own)


def _given(axes: Sequence[Axis], values: Sequence[str], *, best: bool) -> Settings:
    """The settings of a point; what a search chooses is left to it."""
    return {
        axis.key: value for axis, value in zip(axes, values, strict=True)
        if not (best and axis.key in _SEARCHED)
    }  # fmt: skip


def _only(axes: Sequence[Axis], values: Sequence[str]) -> dict[str, list[int | str]]:
    """What a search is restricted to at a point. Raises JobError."""
    found: dict[str, list[int | str]] = {}
    for axis, value in zip(axes, values, strict=True):
        if axis.key in _FOLLOWS:
            raise JobError(f"--over {axis.name}: it follows from the layout that a search chooses, "
                           "expected another axis, or the job's own layout")  # fmt: skip
        if axis.key in _SEARCHED:
            found[_SEARCHED[axis.key]] = [_WORDS.get(value, value)]
    return found


def _point(
    from_job: Source, plan: Plan, axes: Sequence[Axis], values: Sequence[str], *, best: bool
) -> Point:
    at = {axis.name: value for axis, value in zip(axes, values, strict=True)}
    settings = _given(axes, values, best=best)
    only = _only(axes, values) if best else {}  # an axis that no search knows is refused at once
    try:
        if best:
            return _best(from_job.without_layout(settings), plan, only, at)
        return _own(from_job.as_laid_out(settings), plan, at)
    except (JobError, DoesNotEvaluateError, UnitError) as error:
        return Point(at, reason=str(error).removeprefix("--set: "))


def _own(job: Job, plan: Plan, at: Mapping[str, str]) -> Point:
    """The job's own layout, and what forbids it. Raises JobError or DoesNotEvaluateError."""
    layout = {n: int(v) for n, v in job.values().items() if n in LAYOUT}
    broken = _forbidden(job, layout)
    if broken:
        return Point(at, layout, reason=f"expected that {'; '.join(dict.fromkeys(broken))}")
    return _judged(job, at, layout, _scale(job) | ExactLayouts(plan, job.values(), WANTED).at({}))


def _forbidden(job: Job, layout: Mapping[str, int]) -> tuple[str, ...]:
    """The constraints of a search that a layout breaks; a switch that does nothing is none."""
    where = space(job)
    return Space(where.tied, where.free, where.constraints, (), where.given).broken(layout)


def _best(job: Job, plan: Plan, only: Mapping[str, Sequence[int | str]], at: Mapping[str, str]) -> Point:
    """The best that fits, as in `plan`. Raises JobError, or KeyboardInterrupt if the search was ended."""
    asked = wishes(job, 1)._replace(only=only, wanted=WANTED)
    result = search(job, plan, asked)
    if not result.complete:
        raise KeyboardInterrupt
    if not result.best:
        return Point(at, values={}, fits=False, reason=nearest_in_short(job, plan, asked))
    option = result.best[0]
    return _judged(job, at, option.layout, _scale(job) | dict(option.values))


def _scale(job: Job) -> dict[str, Fraction]:
    return {name: job.values()[name] for name in ("n", "s", "b")}


def _judged(
    job: Job, at: Mapping[str, str], layout: Mapping[str, int], values: Mapping[str, Fraction]
) -> Point:
    reasons = list(_passed(job, values))
    return Point(at, layout, values, not reasons, "; ".join(reasons), stated_parts(job))


def _passed(job: Job, values: Mapping[str, Fraction]) -> Iterator[str]:
    """The limits that a point does not keep."""
    if values["u_M"] > job.limit:
        yield (f"the fullest rank takes {float(values['u_M']) * 100:.1f} % of the memory, "
               f"limit {float(job.limit) * 100:.1f} %")  # fmt: skip
    if job.min_mfu is not None and values["u"] < job.min_mfu:
        yield (f"the {mfu_said(job.values())} is {float(values['u']) * 100:.4g} %, "
               f"{float(job.min_mfu) * 100:.4g} % is asked for")  # fmt: skip
