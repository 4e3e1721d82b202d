"""Timelines of FSDP and DDP on two streams, one that computes and one that communicates.

A stream runs its tasks one after the other, in the order in which they were issued. A task begins
as soon as its stream is free and what it waits for has happened: a unit is computed once its
weights are gathered, and its gradient is reduced once its backward is computed. A gather is
issued, and its memory taken, when the unit that lies `ahead` units before begins to compute, so
that at most `ahead` units are gathered beyond the one that is computed; without prefetching
(`ahead` 0) it is issued when the unit before has been computed and freed.

Units are numbered in the order in which they are computed: in a backward, the last of the model
is unit 0. All units are equal. Times are in any unit, and may be 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ._checks import amount, positive_count

Kind: TypeAlias = Literal["gather", "compute", "reduce"]


@dataclass(frozen=True)
class Task:
    """A task of one unit; `issued` is when it was put on its stream, before it could begin."""

    kind: Kind
    unit: int
    issued: Fraction
    start: Fraction
    end: Fraction


@dataclass(frozen=True)
class Timeline:
    """All tasks, in the order in which they were issued."""

    tasks: tuple[Task, ...]

    @property
    def makespan(self) -> Fraction:
        """The time from 0 to the end of the last task."""
        return max(task.end for task in self.tasks)

    def busy(self, kind: Kind) -> Fraction:
        """The time that the tasks of a kind take together."""
        return sum((t.end - t.start for t in self.tasks if t.kind == kind), Fraction(0))

    def peak(self, weights: Fraction | int, gradient: Fraction | int) -> Fraction:
        """The most bytes held at once, of `weights` a gathered unit and `gradient` a unit.

        Weights are held from when their gather is issued until their unit is computed, a gradient
        from when its backward begins until it is reduced. What is freed at a moment is free for
        what is taken at that moment.
        """
        changes = [*self._held("gather", "compute", Fraction(weights), from_issue=True)]
        changes += self._held("compute", "reduce", Fraction(gradient), from_issue=False)
        held = peak = Fraction(0)
        for _, change in sorted(changes):
            held += change
            peak = max(peak, held)
        return peak

    def _held(
        self, first: Kind, last: Kind, size: Fraction, *, from_issue: bool
    ) -> Iterable[tuple[Fraction, Fraction]]:
        """(time, bytes) taken by the first task of a unit and freed by its last."""
        ends = {task.unit: task.end for task in self.tasks if task.kind == last}
        for task in self.tasks:
            if task.kind == first and task.unit in ends:
                yield (task.issued if from_issue else task.start, size)
                yield (ends[task.unit], -size)


def fsdp_forward(units: int, gather: Fraction | int, compute: Fraction | int, ahead: int = 1) -> Timeline:
    """Gather, compute and free each unit. ValueError if `units` is below 1 or a time below 0."""
    return _run({"gather": gather, "compute": compute}, units, ahead, overlap=True)


def units_gathered(units: int) -> int:
    """Count the gathers of a forward and a backward in which one unit's weights are kept at a time.

    A unit is gathered when it is computed, unless its weights are still there.
    """
    there, gathers = None, 0
    for unit in [*range(positive_count("units", units)), *reversed(range(units))]:
        gathers += unit != there
        there = unit
    return gathers


def fsdp_backward(
    units: int,
    gather: Fraction | int,
    compute: Fraction | int,
    reduce: Fraction | int,
    ahead: int = 1,
    *,
    overlap: bool = True,
) -> Timeline:
    """Gather, compute and free each unit, and reduce-scatter its gradient.

    `overlap`: the next unit is computed while a gradient is reduced; otherwise it waits, so that
    one gradient is held at a time. ValueError as for `fsdp_forward`.
    """
    times: dict[Kind, Fraction | int] = {"gather": gather, "compute": compute, "reduce": reduce}
    return _run(times, units, ahead, overlap=overlap)


def ddp_backward(buckets: int, compute: Fraction | int, reduce: Fraction | int) -> Timeline:
    """Compute the gradients bucket by bucket, each all-reduced as soon as it is full.

    Nothing is gathered. ValueError as for `fsdp_forward`.
    """
    return _run({"compute": compute, "reduce": reduce}, buckets, 1, overlap=True)


class _Streams:
    """Both streams, and what ran on them; a kind of task without a time is left out."""

    def __init__(self, takes: dict[Kind, Fraction]) -> None:
        self.takes = takes
        self.free = {"compute": Fraction(0), "communicate": Fraction(0)}
        self.done: dict[tuple[Kind, int], Task] = {}

    def run(self, kind: Kind, unit: int, issued: Fraction) -> None:
        """Put a task on its stream, where it begins once the stream is free."""
        if kind not in self.takes:
            return
        stream = "compute" if kind == "compute" else "communicate"
        start = max(self.free[stream], issued)
        self.done[kind, unit] = Task(kind, unit, issued, start, start + self.takes[kind])
        self.free[stream] = start + self.takes[kind]

    def end(self, kind: Kind, unit: int) -> Fraction:
        """When a task ended; 0 if there is none."""
        return self.done[kind, unit].end if (kind, unit) in self.done else Fraction(0)


def _run(times: Mapping[Kind, Fraction | int], units: int, ahead: int, *, overlap: bool) -> Timeline:
    """Issue the tasks in the order in which they become possible."""
    if ahead < 0:
        raise ValueError(f"ahead must not be below 0, not {ahead}.")
    positive_count("units", units)
    streams = _Streams({kind: amount("a time", time) for kind, time in times.items()})
    for unit in range(min(units, max(ahead, 1))):
        streams.run("gather", unit, Fraction(0))
    for unit in range(units):
        reduced = Fraction(0) if overlap else streams.end("reduce", unit - 1)
        streams.run("compute", unit, max(streams.end("gather", unit), reduced))
        task = streams.done["compute", unit]
        if ahead and unit + ahead < units:
            streams.run("gather", unit + ahead, task.start)
        streams.run("reduce", unit, task.end)
        if not ahead and unit + 1 < units:
            streams.run("gather", unit + 1, task.end)
    return Timeline(tuple(streams.done.values()))
